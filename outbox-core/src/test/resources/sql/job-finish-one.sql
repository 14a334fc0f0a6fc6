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
returning "outbox"."job"."id", "outbox"."job"."epoch"
