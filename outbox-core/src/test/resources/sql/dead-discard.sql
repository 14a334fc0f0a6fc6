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
      and "outbox"."delivery"."id" = $2
    )
    order by "outbox"."delivery"."id"
    fetch next 1 rows only
    for no key update of "delivery"
  ),
  "discarded_rows" as (
    delete from "outbox"."delivery"
    where (
      "outbox"."delivery"."id" = any (
        array(
          select "chosen_rows"."id"
          from "chosen_rows"
        )
      )
      and "outbox"."delivery"."status" = cast('DEAD' as "outbox"."delivery_status")
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
  join "discarded_rows"
    on "discarded_rows"."id" = "chosen_rows"."id"
order by "chosen_rows"."id"
returning "outbox"."operator_action"."delivery_id", "outbox"."operator_action"."event_id", "outbox"."operator_action"."topic", "outbox"."operator_action"."new_delivery_id"
