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
  "sent_messages" as materialized (
    select
      "outbox"."receipt"."delivery_id" as "id",
      "outbox"."receipt"."message_id" as "message_id",
      "outbox"."receipt"."epoch" as "epoch",
      "outbox"."receipt"."attempts" as "attempts",
      cast(null as text) as "last_error",
      "outbox"."message"."event_id",
      "outbox"."message"."topic",
      "outbox"."message"."ordering_key"
    from
      "locked_keys",
      "outbox"."receipt"
        join "outbox"."message"
          on "outbox"."message"."id" = "outbox"."receipt"."message_id"
    where (
      "locked_keys"."locks" >= 0
      and "outbox"."receipt"."message_id" = any (
        cast(
          $2
          as bigint[]
        )
      )
      and "outbox"."receipt"."channel" = $3
      and not exists (
        select 1 as "one"
        from "outbox"."receipt" as "later_receipt"
        where (
          "later_receipt"."message_id" = "outbox"."receipt"."message_id"
          and "later_receipt"."channel" = "outbox"."receipt"."channel"
          and "later_receipt"."delivery_id" > "outbox"."receipt"."delivery_id"
        )
      )
      and not exists (
        select 1 as "one"
        from "outbox"."delivery"
        where (
          "outbox"."delivery"."message_id" = "outbox"."message"."id"
          and "outbox"."delivery"."channel" = $4
        )
      )
    )
    order by "outbox"."message"."id"
    for key share of "message"
  ),
  "placed_rows" as materialized (
    select
      "sent_messages"."id",
      "sent_messages"."message_id",
      "sent_messages"."epoch",
      "sent_messages"."attempts",
      "sent_messages"."last_error",
      "sent_messages"."event_id",
      "sent_messages"."topic",
      "sent_messages"."ordering_key",
      (row_number() over (order by "sent_messages"."message_id") - 1) as "place",
      count(*) over () as "places"
    from "sent_messages"
  ),
  "queued_deliveries" as (
    insert into "outbox"."delivery" ("message_id", "channel", "ordering_key", "next_attempt_at")
    select
      "placed_rows"."message_id",
      $5,
      "placed_rows"."ordering_key",
      (clock_timestamp() + (cast($6 as interval day to second) * (cast("placed_rows"."place" as double precision) / "placed_rows"."places")))
    from "placed_rows"
    order by "placed_rows"."message_id"
    on conflict ("message_id", "channel")
    do nothing
    returning "outbox"."delivery"."id", "outbox"."delivery"."message_id"
  )
insert into "outbox"."operator_action" (
  "delivery_id",
  "message_id",
  "epoch",
  "attempts",
  "verb",
  "event_id",
  "topic",
  "channel",
  "who",
  "why",
  "last_error",
  "new_delivery_id"
)
select
  "sent_messages"."id",
  "sent_messages"."message_id",
  "sent_messages"."epoch",
  "sent_messages"."attempts",
  cast($7 as "outbox"."operator_verb"),
  "sent_messages"."event_id",
  "sent_messages"."topic",
  $8,
  $9,
  $10,
  "sent_messages"."last_error",
  "queued_deliveries"."id"
from "sent_messages"
  join "queued_deliveries"
    on "queued_deliveries"."message_id" = "sent_messages"."message_id"
order by "sent_messages"."id"
returning "outbox"."operator_action"."delivery_id", "outbox"."operator_action"."event_id", "outbox"."operator_action"."topic", "outbox"."operator_action"."new_delivery_id"
