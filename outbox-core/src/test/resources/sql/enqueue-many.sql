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
      "said_messages"."event_id",
      "said_messages"."topic",
      "said_messages"."content_type",
      "said_messages"."ordering_key",
      "said_messages"."headers",
      "said_messages"."payload_json",
      decode(
        "said_messages"."payload_bytes",
        'base64'
      )
    from (
      select
        unnest(cast(
          $1
          as text[]
        )) as "event_id",
        unnest(cast(
          $2
          as text[]
        )) as "topic",
        unnest(cast(
          $3
          as text[]
        )) as "content_type",
        unnest(cast(
          $4
          as text[]
        )) as "ordering_key",
        unnest(cast(
          $5
          as jsonb[]
        )) as "headers",
        unnest(cast(
          $6
          as jsonb[]
        )) as "payload_json",
        unnest(cast(
          $7
          as text[]
        )) as "payload_bytes",
        unnest(cast(
          $8
          as int[]
        )) as "position"
    ) as "said_messages"
    order by "said_messages"."position"
    on conflict ("event_id")
    do nothing
    returning "outbox"."message"."id", "outbox"."message"."event_id", "outbox"."message"."ordering_key"
  ),
  "queued_deliveries" as (
    insert into "outbox"."delivery" ("message_id", "channel", "ordering_key", "next_attempt_at")
    select
      "created_messages"."id",
      "addressed_deliveries"."channel",
      "created_messages"."ordering_key",
      (statement_timestamp() + cast(
        "addressed_deliveries"."delay"
        as interval day to second
      ))
    from
      (
        select
          unnest(cast(
            $9
            as text[]
          )) as "event_id",
          unnest(cast(
            $10
            as text[]
          )) as "channel",
          unnest(cast(
            $11
            as text[]
          )) as "delay",
          unnest(cast(
            $12
            as int[]
          )) as "position"
      ) as "addressed_deliveries",
      "created_messages"
    where "created_messages"."event_id" = "addressed_deliveries"."event_id"
    order by "addressed_deliveries"."position"
    returning "outbox"."delivery"."id"
  )
select "created_messages"."event_id"
from "created_messages"
