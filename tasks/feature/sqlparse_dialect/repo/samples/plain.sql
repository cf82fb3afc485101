-- rolls that wait for the dyer
select r.code, count(*) as pieces
from rolls r
where r.state = 'grey' and r.length > 120
group by r.code;
update rolls set state = 'booked' where code = 'K-17';
