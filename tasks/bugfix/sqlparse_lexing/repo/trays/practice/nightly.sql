-- nightly tidy-up of the pharmacy
delete from baskets where opened < :yesterday;
update shelves set note = 'empty; refill' where amount = 0;
