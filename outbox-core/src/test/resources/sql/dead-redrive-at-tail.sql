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
  "chosen_rows" as materialized (
    select
      "outbox"."delivery"."id",
      "outbox"."delivery"."message_id",
      "outbox"."delivery"."epoch",
      "outbox"."delivery"."attempts",
      "outbox"."delivery"."last_error",
      "outbox"."message"."event_id",
      "outbox"."message"."topic",
      "outbox"."message"."ordering_key"
    from
      "locked_keys",
      "outbox"."delivery"
        join "outbox"."message"
          on "outbox"."message"."id" = "outbox"."delivery"."message_id"
    where (
      "outbox"."delivery"."channel" = $2
      and "outbox"."delivery"."next_attempt_at" = timestamp with time zone '9999-12-31 00:00:00+00:00'
      and "outbox"."delivery"."status" = cast('DEAD' as "outbox"."delivery_status")
      and "outbox"."delivery"."ordering_key" is null
      and "outbox"."message"."ordering_key" is not null
      and "outbox"."delivery"."id" = any (
        cast(
          $3
          as bigint[]
        )
      )
      and "locked_keys"."locks" >= 0
    )
    order by "outbox"."delivery"."id"
    fetch next 1000 rows only
    for no key update of "delivery" skip locked
  ),
  "removed_rows" as (
    delete from "outbox"."delivery"
    where (
      "outbox"."delivery"."id" = any (
        array(
          select "chosen_rows"."id"
          from "chosen_rows"
        )
      )
      and "outbox"."delivery"."status" = cast('DEAD' as "outbox"."delivery_status")
      and "outbox"."delivery"."ordering_key" is null
    )
    returning "outbox"."delivery"."id"
  ),
  "placed_rows" as materialized (
    select
      "chosen_rows"."id",
      "chosen_rows"."message_id",
      "chosen_rows"."epoch",
      "chosen_rows"."attempts",
      "chosen_rows"."last_error",
      "chosen_rows"."event_id",
      "chosen_rows"."topic",
      "chosen_rows"."ordering_key",
      (row_number() over (order by "chosen_rows"."id") - 1) as "place",
      count(*) over () as "places"
    from "chosen_rows"
  ),
  "queued_deliveries" as (
    insert into "outbox"."delivery" ("message_id", "channel", "ordering_key", "next_attempt_at")
    select
      "placed_rows"."message_id",
      $4,
      "placed_rows"."ordering_key",
      (clock_timestamp() + (cast($5 as interval day to second) * (cast("placed_rows"."place" as double precision) / "placed_rows"."places")))
    from "placed_rows"
      join "removed_rows"
        on "removed_rows"."id" = "placed_rows"."id"
    order by "placed_rows"."id"
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
  "chosen_rows"."id",
  "chosen_rows"."message_id",
  "chosen_rows"."epoch",
  "chosen_rows"."attempts",
  cast($6 as "outbox"."operator_verb"),
  "chosen_rows"."event_id",
  "chosen_rows"."topic",
  $7,
  $8,
  $9,
  "chosen_rows"."last_error",
  "queued_deliveries"."id"
from "chosen_rows"
  join "queued_deliveries"
    on "queued_deliveries"."message_id" = "chosen_rows"."message_id"
order by "chosen_rows"."id"
returning "outbox"."operator_action"."delivery_id", "outbox"."operator_action"."event_id", "outbox"."operator_action"."topic", "outbox"."operator_action"."new_delivery_id"
