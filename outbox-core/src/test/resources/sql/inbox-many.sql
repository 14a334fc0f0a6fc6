insert into "outbox"."inbox" ("consumer", "event_id")
select
  $1,
  "event"."event_id"
from (
  select unnest(cast(
    $2
    as text[]
  )) as "event_id"
) as "event"
order by "event"."event_id"
on conflict ("consumer", "event_id")
do nothing
returning "outbox"."inbox"."event_id"
