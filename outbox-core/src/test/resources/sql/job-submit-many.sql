insert into "outbox"."job" ("kind", "job_key", "input", "next_attempt_at")
select
  $1,
  "submitted_jobs"."job_key",
  "submitted_jobs"."input",
  (statement_timestamp() + cast(
    "submitted_jobs"."delay"
    as interval day to second
  ))
from (
  select
    unnest(cast(
      $2
      as text[]
    )) as "job_key",
    unnest(cast(
      $3
      as jsonb[]
    )) as "input",
    unnest(cast(
      $4
      as text[]
    )) as "delay"
) as "submitted_jobs"
order by "submitted_jobs"."job_key"
on conflict ("kind", "job_key")
do nothing
returning "outbox"."job"."job_key", "outbox"."job"."id"
