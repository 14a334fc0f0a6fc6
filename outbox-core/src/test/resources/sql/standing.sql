select
  "outbox"."delivery"."id",
  "outbox"."delivery"."epoch",
  ("outbox"."delivery"."status" = cast('INPROGRESS' as "outbox"."delivery_status"))
from "outbox"."delivery"
where "outbox"."delivery"."id" = any (
  cast(
    $1
    as bigint[]
  )
)
