with
  "accepted_rows" as (
    update "outbox"."job"
    set
      "status" = cast('DONE' as "outbox"."job_status"),
      "lease_until" = cast(null as timestamp(6) with time zone),
      "lease_owner" = cast(null as text),
      "next_attempt_at" = timestamp with time zone '9999-12-31 00:00:00+00:00',
      "ended_at" = clock_timestamp(),
      "result" = cast($1 as jsonb)
    where (
      "outbox"."job"."id" = $2
      and "outbox"."job"."epoch" = $3
      and "outbox"."job"."status" = cast('INPROGRESS' as "outbox"."job_status")
      and "outbox"."job"."lease_until" > clock_timestamp()
    )
    returning 
      "outbox"."job"."id",
      "outbox"."job"."epoch",
      "outbox"."job"."attempts",
      "outbox"."job"."kind",
      "outbox"."job"."job_key"
  ),
  "effect_rows" as (
    insert into "outbox"."inbox" ("consumer", "event_id")
    select
      $4,
      cast("accepted_rows"."id" as text)
    from "accepted_rows"
    on conflict
    do nothing
    returning 1
  )
select
  "counted_rows"."accepted",
  case
    when (
      "counted_rows"."accepted" > 0
      or "counted_rows"."applied" = 0
    ) then "counted_rows"."applied"
    else cast(
      (('The lease does not hold, and the effect wrote all the same; rows: ' || cast("counted_rows"."applied" as varchar)) || '. Nothing stays. Select row by row from accepted.table().')
      as int
    )
  end as "applied"
from (
  select
    (
      select count(*)
      from "accepted_rows"
    ) as "accepted",
    (
      select count(*)
      from "effect_rows"
    ) as "applied"
) as "counted_rows"
