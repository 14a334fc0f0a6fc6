update "outbox"."delivery"
set
  "status" = cast('READY' as "outbox"."delivery_status"),
  "lease_until" = cast(null as timestamp(6) with time zone),
  "lease_owner" = cast(null as text),
  "next_attempt_at" = (clock_timestamp() + cast($1 as interval day to second)),
  "last_error" = $2
where (
  "outbox"."delivery"."id" = $3
  and "outbox"."delivery"."epoch" = $4
  and "outbox"."delivery"."status" = cast('INPROGRESS' as "outbox"."delivery_status")
  and "outbox"."delivery"."lease_until" > clock_timestamp()
)
returning "outbox"."delivery"."id", "outbox"."delivery"."epoch"
