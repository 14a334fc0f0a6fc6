select "outbox"."delivery"."id", "outbox"."message"."ordering_key"
from "outbox"."delivery"
  join "outbox"."message"
    on "outbox"."message"."id" = "outbox"."delivery"."message_id"
where (
  "outbox"."delivery"."channel" = $1
  and "outbox"."delivery"."next_attempt_at" = timestamp with time zone '9999-12-31 00:00:00+00:00'
  and "outbox"."delivery"."status" = cast('DEAD' as "outbox"."delivery_status")
  and "outbox"."message"."topic" = $2
  and "outbox"."delivery"."ordering_key" is null
  and "outbox"."message"."ordering_key" is not null
)
order by "outbox"."delivery"."id"
fetch next 1000 rows only
