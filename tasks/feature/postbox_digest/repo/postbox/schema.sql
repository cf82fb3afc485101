-- What the service keeps. Read at every start, so each statement can be repeated.

create table if not exists boxes (
    name text primary key,
    owner text not null
);

create table if not exists messages (
    ref integer primary key,
    box text not null references boxes (name),
    sender text not null,
    words text not null,
    sent integer not null,
    seen integer not null default 0
);
