/* stock by shelf,
   for the morning round */
select s.code, sum(m.amount)::int as amount
from "Shelf Moves" m
left join `shelves` s on s.id = m.shelf
where m.day >= :first_day
group by s.code;
