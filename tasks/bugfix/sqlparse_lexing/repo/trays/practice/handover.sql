-- do not drop table wards before the count
insert into wards (code, note) values ($1, 'what?');
select * from wards where code like 'a%' -- truncate later
