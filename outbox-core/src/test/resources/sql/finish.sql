with
  "accepted_rows" as (
    delete from "outbox"."delivery"
    where (
      "outbox"."delivery"."id" = $1
      and "outbox"."delivery"."epoch" = $2
      and "outbox"."delivery"."status" = cast('INPROGRESS' as "outbox"."delivery_status")
      and "outbox"."delivery"."lease_until" > clock_timestamp()
    )
    returning 
      "outbox"."delivery"."id",
      "outbox"."delivery"."message_id",
      "outbox"."delivery"."epoch",
      "outbox"."delivery"."attempts",
      "outbox"."delivery"."channel"
  ),
  "record_rows" as (
    insert into "outbox"."receipt" (
      "message_id",
      "delivery_id",
      "epoch",
      "attempts",
      "channel"
    )
    select
      "accepted_rows"."message_id",
      "accepted_rows"."id",
      "accepted_rows"."epoch",
      "accepted_rows"."attempts",
      "accepted_rows"."channel"
    from "accepted_rows"
    returning "outbox"."receipt"."delivery_id"
  ),
  "effect_rows" as (
    insert into "outbox"."inbox" ("consumer", "event_id")
    select $3, "accepted_rows"."channel"
    from "accepted_rows"
    on conflict
    do nothing
    returning 1
  )
select
  "counted_rows"."accepted",
  case
    when (
      "counted_rows"."accepted" > 0
      or "counted_rows"."applied" = 0
    ) then "counted_rows"."applied"
    else cast(
      (('The lease does not hold, and the effect wrote all the same; rows: ' || cast("counted_rows"."applied" as varchar)) || '. Nothing stays. Select row by row from accepted.table().')
      as int
    )
  end as "applied"
from (
  select
    (
      select count(*)
      from "accepted_rows"
    ) as "accepted",
    (
      select count(*)
      from "effect_rows"
    ) as "applied"
) as "counted_rows"
