insert into "outbox"."inbox" ("consumer", "event_id")
select $1, $2
on conflict ("consumer", "event_id")
do nothing
