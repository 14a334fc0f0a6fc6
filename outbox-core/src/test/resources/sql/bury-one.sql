update "outbox"."delivery"
set
  "status" = cast('DEAD' as "outbox"."delivery_status"),
  "lease_until" = cast(null as timestamp(6) with time zone),
  "lease_owner" = cast(null as text),
  "next_attempt_at" = timestamp with time zone '9999-12-31 00:00:00+00:00',
  "last_error" = $1
where (
  "outbox"."delivery"."id" = $2
  and "outbox"."delivery"."epoch" = $3
  and "outbox"."delivery"."status" = cast('INPROGRESS' as "outbox"."delivery_status")
  and "outbox"."delivery"."lease_until" > clock_timestamp()
)
returning "outbox"."delivery"."id", "outbox"."delivery"."epoch"
