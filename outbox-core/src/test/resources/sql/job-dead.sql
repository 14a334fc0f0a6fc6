select
  "outbox"."job"."id",
  "outbox"."job"."epoch",
  "outbox"."job"."next_attempt_at",
  "outbox"."job"."submitted_at",
  "outbox"."job"."lease_until",
  "outbox"."job"."ended_at",
  "outbox"."job"."status",
  "outbox"."job"."attempts",
  "outbox"."job"."kind",
  "outbox"."job"."job_key",
  "outbox"."job"."lease_owner",
  "outbox"."job"."last_error",
  "outbox"."job"."cancel_reason",
  "outbox"."job"."input",
  "outbox"."job"."checkpoint",
  "outbox"."job"."result"
from "outbox"."job"
where (
  "outbox"."job"."kind" = $1
  and "outbox"."job"."next_attempt_at" = timestamp with time zone '9999-12-31 00:00:00+00:00'
  and "outbox"."job"."ended_at" is null
  and "outbox"."job"."status" = cast('DEAD' as "outbox"."job_status")
)
order by "outbox"."job"."id"
fetch next 100 rows only
