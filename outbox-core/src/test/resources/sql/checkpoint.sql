update "outbox"."delivery"
set
  "message_id" = $1
where (
  "outbox"."delivery"."id" = $2
  and "outbox"."delivery"."epoch" = $3
  and "outbox"."delivery"."status" = cast('INPROGRESS' as "outbox"."delivery_status")
  and "outbox"."delivery"."lease_until" > clock_timestamp()
)
returning "outbox"."delivery"."id", "outbox"."delivery"."epoch"
