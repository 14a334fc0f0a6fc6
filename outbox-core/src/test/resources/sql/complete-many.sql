with
  "accepted_rows" as (
    delete from "outbox"."delivery"
    using (
      select
        unnest(cast(
          $1
          as bigint[]
        )) as "row_key",
        unnest(cast(
          $2
          as bigint[]
        )) as "epoch"
    ) as "held_leases"
    where (
      "outbox"."delivery"."id" = "held_leases"."row_key"
      and "outbox"."delivery"."epoch" = "held_leases"."epoch"
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
