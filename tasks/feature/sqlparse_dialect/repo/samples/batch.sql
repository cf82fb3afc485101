/* second shift */
insert into batches (code, shade) values ('B9', '#A0B1C2');
select code from batches order by code desc;
