with
  "created_messages" as (
    insert into "outbox"."message" (
      "event_id",
      "topic",
      "content_type",
      "ordering_key",
      "headers",
      "payload_json",
      "payload_bytes"
    )
    select
      $1,
      $2,
      $3,
      $4,
      cast($5 as jsonb),
      cast($6 as jsonb),
      $7
    on conflict ("event_id")
    do nothing
    returning "outbox"."message"."id", "outbox"."message"."event_id", "outbox"."message"."ordering_key"
  ),
  "queued_deliveries" as (
    insert into "outbox"."delivery" ("message_id", "channel", "ordering_key", "next_attempt_at")
    select
      "created_messages"."id",
      $8,
      "created_messages"."ordering_key",
      (statement_timestamp() + cast($9 as interval day to second))
    from "created_messages"
    returning "outbox"."delivery"."id"
  )
select "created_messages"."event_id"
from "created_messages"
