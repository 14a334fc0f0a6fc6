with
  "claimable_rows" as materialized (
    select
      "outbox"."job"."id",
      ("outbox"."job"."status" = cast('INPROGRESS' as "outbox"."job_status")) as "was_leased"
    from "outbox"."job"
    where (
      "outbox"."job"."kind" = $1
      and "outbox"."job"."ended_at" is null
      and "outbox"."job"."next_attempt_at" <= statement_timestamp()
      and (
        "outbox"."job"."status" = cast('READY' as "outbox"."job_status")
        or (
          "outbox"."job"."status" = cast('INPROGRESS' as "outbox"."job_status")
          and "outbox"."job"."lease_until" <= statement_timestamp()
        )
      )
    )
    order by "outbox"."job"."next_attempt_at", "outbox"."job"."id"
    fetch next 100 rows only
    for no key update skip locked
  )
update "outbox"."job"
set
  "status" = case
    when "outbox"."job"."attempts" >= 10 then cast('DEAD' as "outbox"."job_status")
    else cast('INPROGRESS' as "outbox"."job_status")
  end,
  "epoch" = case
    when "outbox"."job"."attempts" >= 10 then "outbox"."job"."epoch"
    else ("outbox"."job"."epoch" + 1)
  end,
  "attempts" = case
    when "outbox"."job"."attempts" >= 10 then "outbox"."job"."attempts"
    else ("outbox"."job"."attempts" + 1)
  end,
  "lease_until" = case
    when not ("outbox"."job"."attempts" >= 10) then (
      select (clock_timestamp() + cast($2 as interval day to second))
    )
  end,
  "lease_owner" = case
    when not ("outbox"."job"."attempts" >= 10) then $3
  end,
  "next_attempt_at" = case
    when "outbox"."job"."attempts" >= 10 then timestamp with time zone '9999-12-31 00:00:00+00:00'
    else "outbox"."job"."next_attempt_at"
  end,
  "last_error" = case
    when "outbox"."job"."attempts" >= 10 then ('The attempt budget of 10 is used up. Last error: ' || coalesce(
      left("outbox"."job"."last_error", 2000),
      'none was reported; the worker died or its lease ran out.'
    ))
    else "outbox"."job"."last_error"
  end
where "outbox"."job"."id" = any (
  array(
    select "claimable_rows"."id"
    from "claimable_rows"
  )
)
returning 
  "outbox"."job"."id",
  "outbox"."job"."epoch",
  "outbox"."job"."attempts",
  "outbox"."job"."lease_until",
  "outbox"."job"."last_error",
  ("outbox"."job"."status" = cast('DEAD' as "outbox"."job_status")) as "buried",
  ("outbox"."job"."id" = any (
    array(
      select "claimable_rows"."id"
      from "claimable_rows"
      where "claimable_rows"."was_leased"
    )
  )) as "reclaimed",
  "outbox"."job"."next_attempt_at",
  "outbox"."job"."submitted_at",
  "outbox"."job"."ended_at",
  "outbox"."job"."status",
  "outbox"."job"."kind",
  "outbox"."job"."job_key",
  "outbox"."job"."lease_owner",
  "outbox"."job"."cancel_reason",
  "outbox"."job"."input",
  "outbox"."job"."checkpoint",
  "outbox"."job"."result"
