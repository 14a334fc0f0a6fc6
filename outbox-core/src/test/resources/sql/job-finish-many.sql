update "outbox"."job"
set
  "status" = cast('DONE' as "outbox"."job_status"),
  "lease_until" = cast(null as timestamp(6) with time zone),
  "lease_owner" = cast(null as text),
  "next_attempt_at" = timestamp with time zone '9999-12-31 00:00:00+00:00',
  "ended_at" = clock_timestamp(),
  "result" = "held_leases"."result"
from (
  select
    unnest(cast(
      $1
      as bigint[]
    )) as "row_key",
    unnest(cast(
      $2
      as bigint[]
    )) as "epoch",
    unnest(cast(
      $3
      as jsonb[]
    )) as "result"
) as "held_leases"
where (
  "outbox"."job"."id" = "held_leases"."row_key"
  and "outbox"."job"."epoch" = "held_leases"."epoch"
  and "outbox"."job"."status" = cast('INPROGRESS' as "outbox"."job_status")
  and "outbox"."job"."lease_until" > clock_timestamp()
)
returning "outbox"."job"."id", "outbox"."job"."epoch"
