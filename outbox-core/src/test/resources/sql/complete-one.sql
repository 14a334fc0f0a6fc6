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
  )
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
returning "outbox"."receipt"."delivery_id", "outbox"."receipt"."epoch"
