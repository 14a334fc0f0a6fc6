select "outbox"."job"."job_key", "outbox"."job"."id"
from "outbox"."job"
where (
  "outbox"."job"."kind" = $1
  and "outbox"."job"."job_key" = any (
    cast(
      $2
      as varchar[]
    )
  )
)
