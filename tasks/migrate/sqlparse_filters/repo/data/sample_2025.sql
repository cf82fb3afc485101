-- table 3.1, households by district
-- TODO Ines: is this the revised count?
SELECT h.District,   count(*)  as households, sum(h.Persons) as persons, avg(h.Rooms) as rooms
from households h
   join `Districts` d on d.code = h.District
where h.Contact <> 'ines.k@stat.example' and h.Year = 2025
group by h.District;

-- table 3.2, what people own
select o.Thing, count(distinct o.Household) as "Owners" from ownership o where o.thing in ('car', 'bicycle', 'boat', 'none  at all')
-- todo check the boats
order by 2 desc;

-- table 3.3, moves within the year
with moved as (select Person, min(Left_On) as left_on from moves group by Person having count(*) = 1)
select m.left_on, case when m.left_on < '2025-07-01' then 'first half' else 'second half' end as half from moved m
