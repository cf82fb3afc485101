/* hours by shift, the night
   belongs to the day on which it began */
with hours as (
    select shift, day, sum(minutes) / 60.0 as worked
    from clockings
    where day >= '2026-11-01'
    group by shift, day
)
select shift, avg(worked) as mean, max(worked) as longest
from hours
group by shift
having count(*) > 3;
update shifts set closed = 1 where day < '2026-11-01' and closed = 0;
select case when closed = 1 then 'done' else 'open' end as state, count(*) from shifts group by 1;
