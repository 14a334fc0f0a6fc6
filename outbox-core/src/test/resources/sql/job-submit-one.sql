insert into "outbox"."job" ("kind", "job_key", "input", "next_attempt_at")
select
  $1,
  $2,
  cast($3 as jsonb),
  (statement_timestamp() + cast($4 as interval day to second))
on conflict ("kind", "job_key")
do nothing
returning "outbox"."job"."job_key", "outbox"."job"."id"
