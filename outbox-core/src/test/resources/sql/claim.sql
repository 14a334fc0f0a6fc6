with
  "claimable_rows" as materialized (
    select
      "outbox"."delivery"."id",
      ("outbox"."delivery"."status" = cast('INPROGRESS' as "outbox"."delivery_status")) as "was_leased"
    from "outbox"."delivery"
    where (
      "outbox"."delivery"."channel" = $1
      and "outbox"."delivery"."ordering_key" is null
      and "outbox"."delivery"."next_attempt_at" <= statement_timestamp()
      and (
        "outbox"."delivery"."status" = cast('READY' as "outbox"."delivery_status")
        or (
          "outbox"."delivery"."status" = cast('INPROGRESS' as "outbox"."delivery_status")
          and "outbox"."delivery"."lease_until" <= statement_timestamp()
        )
      )
    )
    order by "outbox"."delivery"."next_attempt_at", "outbox"."delivery"."id"
    fetch next 100 rows only
    for no key update skip locked
  )
update "outbox"."delivery"
set
  "status" = case
    when "outbox"."delivery"."attempts" >= 10 then cast('DEAD' as "outbox"."delivery_status")
    else cast('INPROGRESS' as "outbox"."delivery_status")
  end,
  "epoch" = case
    when "outbox"."delivery"."attempts" >= 10 then "outbox"."delivery"."epoch"
    else ("outbox"."delivery"."epoch" + 1)
  end,
  "attempts" = case
    when "outbox"."delivery"."attempts" >= 10 then "outbox"."delivery"."attempts"
    else ("outbox"."delivery"."attempts" + 1)
  end,
  "lease_until" = case
    when not ("outbox"."delivery"."attempts" >= 10) then (
      select (clock_timestamp() + cast($2 as interval day to second))
    )
  end,
  "lease_owner" = case
    when not ("outbox"."delivery"."attempts" >= 10) then $3
  end,
  "next_attempt_at" = case
    when "outbox"."delivery"."attempts" >= 10 then timestamp with time zone '9999-12-31 00:00:00+00:00'
    else "outbox"."delivery"."next_attempt_at"
  end,
  "last_error" = case
    when "outbox"."delivery"."attempts" >= 10 then ('The attempt budget of 10 is used up. Last error: ' || coalesce(
      left("outbox"."delivery"."last_error", 2000),
      'none was reported; the worker died or its lease ran out.'
    ))
    else "outbox"."delivery"."last_error"
  end
from "outbox"."message"
where (
  "outbox"."delivery"."id" = any (
    array(
      select "claimable_rows"."id"
      from "claimable_rows"
    )
  )
  and "outbox"."message"."id" = "outbox"."delivery"."message_id"
)
returning 
  "outbox"."delivery"."id",
  "outbox"."delivery"."epoch",
  "outbox"."delivery"."attempts",
  "outbox"."delivery"."lease_until",
  "outbox"."delivery"."last_error",
  ("outbox"."delivery"."status" = cast('DEAD' as "outbox"."delivery_status")) as "buried",
  ("outbox"."delivery"."id" = any (
    array(
      select "claimable_rows"."id"
      from "claimable_rows"
      where "claimable_rows"."was_leased"
    )
  )) as "reclaimed",
  "outbox"."delivery"."channel",
  "outbox"."delivery"."status",
  "outbox"."delivery"."next_attempt_at",
  "outbox"."message"."event_id",
  "outbox"."message"."topic",
  "outbox"."message"."content_type",
  "outbox"."message"."ordering_key",
  "outbox"."message"."headers",
  "outbox"."message"."created_at",
  "outbox"."message"."payload_json",
  "outbox"."message"."payload_bytes"
