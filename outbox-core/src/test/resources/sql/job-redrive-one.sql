with
  "chosen_rows" as materialized (
    select
      "outbox"."job"."id",
      "outbox"."job"."epoch",
      "outbox"."job"."attempts",
      "outbox"."job"."job_key",
      "outbox"."job"."last_error"
    from "outbox"."job"
    where (
      "outbox"."job"."kind" = $1
      and "outbox"."job"."job_key" = $2
      and "outbox"."job"."next_attempt_at" = timestamp with time zone '9999-12-31 00:00:00+00:00'
      and "outbox"."job"."ended_at" is null
      and "outbox"."job"."status" = cast('DEAD' as "outbox"."job_status")
    )
    order by "outbox"."job"."id"
    fetch next 1 rows only
    for no key update
  ),
  "redriven_rows" as (
    update "outbox"."job"
    set
      "status" = cast('READY' as "outbox"."job_status"),
      "attempts" = 0,
      "next_attempt_at" = clock_timestamp()
    where (
      "outbox"."job"."id" = any (
        array(
          select "chosen_rows"."id"
          from "chosen_rows"
        )
      )
      and "outbox"."job"."status" = cast('DEAD' as "outbox"."job_status")
    )
    returning "outbox"."job"."id"
  )
insert into "outbox"."job_action" (
  "job_id",
  "epoch",
  "attempts",
  "verb",
  "kind",
  "job_key",
  "who",
  "why",
  "last_error"
)
select
  "chosen_rows"."id",
  "chosen_rows"."epoch",
  "chosen_rows"."attempts",
  cast($3 as "outbox"."operator_verb"),
  $4,
  "chosen_rows"."job_key",
  $5,
  $6,
  "chosen_rows"."last_error"
from "chosen_rows"
  join "redriven_rows"
    on "redriven_rows"."id" = "chosen_rows"."id"
order by "chosen_rows"."id"
returning "outbox"."job_action"."job_id"
