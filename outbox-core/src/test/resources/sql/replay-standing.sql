select
  "outbox"."message"."id",
  "outbox"."message"."ordering_key",
  exists (
    select 1 as "one"
    from "outbox"."delivery"
    where (
      "outbox"."delivery"."message_id" = "outbox"."message"."id"
      and "outbox"."delivery"."channel" = $1
    )
  ),
  exists (
    select 1 as "one"
    from "outbox"."receipt"
    where (
      "outbox"."receipt"."message_id" = "outbox"."message"."id"
      and "outbox"."receipt"."channel" = $2
    )
  )
from "outbox"."message"
where "outbox"."message"."event_id" = $3
