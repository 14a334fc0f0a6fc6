with
  "claimable_rows" as materialized (
    select
      "outbox"."delivery"."id",
      ("outbox"."delivery"."channel" = 'RUNNING') as "was_leased"
    from "outbox"."delivery"
    where (
      "outbox"."delivery"."channel" = 'READY'
      or (
        "outbox"."delivery"."channel" = 'RUNNING'
        and "outbox"."delivery"."lease_until" <= statement_timestamp()
      )
    )
    order by "outbox"."delivery"."id"
    fetch next 100 rows only
    for no key update skip locked
  )
update "outbox"."delivery"
set
  "channel" = case
    when "outbox"."delivery"."attempts" >= 10 then 'DEAD'
    else 'RUNNING'
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
      select (clock_timestamp() + cast($1 as interval day to second))
    )
  end
where "outbox"."delivery"."id" = any (
  array(
    select "claimable_rows"."id"
    from "claimable_rows"
  )
)
returning 
  "outbox"."delivery"."id",
  "outbox"."delivery"."epoch",
  "outbox"."delivery"."attempts",
  "outbox"."delivery"."lease_until",
  ("outbox"."delivery"."channel" = 'DEAD') as "buried",
  ("outbox"."delivery"."id" = any (
    array(
      select "claimable_rows"."id"
      from "claimable_rows"
      where "claimable_rows"."was_leased"
    )
  )) as "reclaimed",
  "outbox"."delivery"."message_id",
  "outbox"."delivery"."next_attempt_at",
  "outbox"."delivery"."status",
  "outbox"."delivery"."channel",
  "outbox"."delivery"."ordering_key",
  "outbox"."delivery"."lease_owner",
  "outbox"."delivery"."last_error"
