with
  "locked_keys" as materialized (
    select count(cast(
      pg_advisory_xact_lock(
        2830,
        "key_hashes"."key_hash"
      )
      as text
    )) as "locks"
    from unnest(cast(
      $1
      as int[]
    )) as "key_hashes" ("key_hash")
  ),
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
      $2,
      $3,
      $4,
      $5,
      cast($6 as jsonb),
      cast($7 as jsonb),
      $8
    from "locked_keys"
    where "locked_keys"."locks" > 0
    on conflict ("event_id")
    do nothing
    returning "outbox"."message"."id", "outbox"."message"."event_id", "outbox"."message"."ordering_key"
  ),
  "queued_deliveries" as (
    insert into "outbox"."delivery" ("message_id", "channel", "ordering_key", "next_attempt_at")
    select
      "created_messages"."id",
      $9,
      "created_messages"."ordering_key",
      (statement_timestamp() + cast($10 as interval day to second))
    from "created_messages"
    returning "outbox"."delivery"."id"
  )
select "created_messages"."event_id"
from "created_messages"
