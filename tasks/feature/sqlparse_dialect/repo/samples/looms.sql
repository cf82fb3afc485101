-- what runs on which loom
create table looms (
    code varchar(8) primary key,
    hall integer not null,
    reeds numeric(6, 2) default 0.5
);
insert into looms (code, hall) values ('L1', 1), ('L2', 1), ('L7', 3);
select l.code, l.hall, coalesce(r.length, 0) as length
from looms l
left join rolls r on r.loom = l.code and r.state <> 'sold'
where l.hall between 1 and 3
order by l.hall, l.code;
delete from looms where code like 'X%';
