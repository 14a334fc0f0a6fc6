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
  and "outbox"."job"."job_key" = $2
)
