with
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
    from "outbox"."delivery"
      join "outbox"."message"
        on "outbox"."message"."id" = "outbox"."delivery"."message_id"
    where (
      "outbox"."delivery"."channel" = $1
      and "outbox"."delivery"."next_attempt_at" = timestamp with time zone '9999-12-31 00:00:00+00:00'
      and "outbox"."delivery"."status" = cast('DEAD' as "outbox"."delivery_status")
      and not (
        "outbox"."delivery"."ordering_key" is null
        and "outbox"."message"."ordering_key" is not null
      )
    )
    order by "outbox"."delivery"."id"
    fetch next 1000 rows only
    for no key update of "delivery" skip locked
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
  "redriven_rows" as (
    update "outbox"."delivery"
    set
      "status" = cast('READY' as "outbox"."delivery_status"),
      "attempts" = 0,
      "next_attempt_at" = (clock_timestamp() + (cast($2 as interval day to second) * (cast("placed_rows"."place" as double precision) / "placed_rows"."places")))
    from "placed_rows"
    where (
      "outbox"."delivery"."id" = any (
        array(
          select "chosen_rows"."id"
          from "chosen_rows"
        )
      )
      and "outbox"."delivery"."id" = "placed_rows"."id"
      and "outbox"."delivery"."status" = cast('DEAD' as "outbox"."delivery_status")
      and (
        "outbox"."delivery"."ordering_key" is not null
        or "placed_rows"."ordering_key" is null
      )
    )
    returning "outbox"."delivery"."id"
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
  "last_error"
)
select
  "chosen_rows"."id",
  "chosen_rows"."message_id",
  "chosen_rows"."epoch",
  "chosen_rows"."attempts",
  cast($3 as "outbox"."operator_verb"),
  "chosen_rows"."event_id",
  "chosen_rows"."topic",
  $4,
  $5,
  $6,
  "chosen_rows"."last_error"
from "chosen_rows"
  join "redriven_rows"
    on "redriven_rows"."id" = "chosen_rows"."id"
order by "chosen_rows"."id"
returning "outbox"."operator_action"."delivery_id", "outbox"."operator_action"."event_id", "outbox"."operator_action"."topic", "outbox"."operator_action"."new_delivery_id"
