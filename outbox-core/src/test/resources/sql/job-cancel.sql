update "outbox"."job"
set
  "status" = cast('CANCELLED' as "outbox"."job_status"),
  "lease_until" = cast(null as timestamp(6) with time zone),
  "lease_owner" = cast(null as text),
  "next_attempt_at" = timestamp with time zone '9999-12-31 00:00:00+00:00',
  "ended_at" = clock_timestamp(),
  "cancel_reason" = $1
where (
  "outbox"."job"."kind" = $2
  and "outbox"."job"."id" = $3
  and "outbox"."job"."status" in (
    cast('READY' as "outbox"."job_status"), cast('INPROGRESS' as "outbox"."job_status"), 
    cast('DEAD' as "outbox"."job_status")
  )
)
returning "outbox"."job"."id"
