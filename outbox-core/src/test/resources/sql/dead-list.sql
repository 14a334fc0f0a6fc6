select
  "outbox"."delivery"."id",
  "outbox"."delivery"."epoch",
  "outbox"."delivery"."attempts",
  "outbox"."delivery"."ordering_key",
  "outbox"."delivery"."last_error",
  "outbox"."message"."event_id",
  "outbox"."message"."topic",
  "outbox"."message"."ordering_key",
  "outbox"."message"."created_at"
from "outbox"."delivery"
  join "outbox"."message"
    on "outbox"."message"."id" = "outbox"."delivery"."message_id"
where (
  "outbox"."delivery"."channel" = $1
  and "outbox"."delivery"."next_attempt_at" = timestamp with time zone '9999-12-31 00:00:00+00:00'
  and "outbox"."delivery"."status" = cast('DEAD' as "outbox"."delivery_status")
)
order by "outbox"."delivery"."id" asc
fetch next 100 rows only
