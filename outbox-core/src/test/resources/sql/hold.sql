select "outbox"."delivery"."id", "outbox"."delivery"."epoch"
from "outbox"."delivery"
where (
  "outbox"."delivery"."id" = $1
  and "outbox"."delivery"."epoch" = $2
  and "outbox"."delivery"."status" = cast('INPROGRESS' as "outbox"."delivery_status")
  and "outbox"."delivery"."lease_until" > clock_timestamp()
)
for no key update
