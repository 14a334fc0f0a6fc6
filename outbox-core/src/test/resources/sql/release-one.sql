update "outbox"."delivery"
set
  "status" = cast('READY' as "outbox"."delivery_status"),
  "lease_until" = cast(null as timestamp(6) with time zone),
  "lease_owner" = cast(null as text),
  "attempts" = greatest(
    ("outbox"."delivery"."attempts" - 1),
    0
  )
where (
  "outbox"."delivery"."id" = $1
  and "outbox"."delivery"."epoch" = $2
  and "outbox"."delivery"."status" = cast('INPROGRESS' as "outbox"."delivery_status")
  and "outbox"."delivery"."lease_until" > clock_timestamp()
)
returning "outbox"."delivery"."id", "outbox"."delivery"."epoch"
