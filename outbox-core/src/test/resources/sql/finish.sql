with
  "accepted_rows" as (
    delete from "outbox"."delivery"
    where (
      "outbox"."delivery"."id" = $1
      and "outbox"."delivery"."epoch" = $2
      and "outbox"."delivery"."status" = cast('INPROGRESS' as "outbox"."delivery_status")
      and "outbox"."delivery"."lease_until" > clock_timestamp()
    )
    returning 
      "outbox"."delivery"."id",
      "outbox"."delivery"."message_id",
      "outbox"."delivery"."epoch",
      "outbox"."delivery"."attempts",
      "outbox"."delivery"."channel"
  ),
  "record_rows" as (
    insert into "outbox"."receipt" (
      "message_id",
      "delivery_id",
      "epoch",
      "attempts",
      "channel"
    )
    select
      "accepted_rows"."message_id",
      "accepted_rows"."id",
      "accepted_rows"."epoch",
      "accepted_rows"."attempts",
      "accepted_rows"."channel"
    from "accepted_rows"
    returning "outbox"."receipt"."delivery_id"
  ),
  "effect_rows" as (
    insert into "outbox"."inbox" ("consumer", "event_id")
    select $3, "accepted_rows"."channel"
    from "accepted_rows"
    on conflict
    do nothing
    returning 1
  )
select
  (
    select count(*)
    from "accepted_rows"
  ) as "accepted",
  (
    select count(*)
    from "effect_rows"
  ) as "applied"
