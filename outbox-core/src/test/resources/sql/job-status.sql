select "outbox"."job"."status"
from "outbox"."job"
where (
  "outbox"."job"."kind" = $1
  and "outbox"."job"."job_key" = $2
)
