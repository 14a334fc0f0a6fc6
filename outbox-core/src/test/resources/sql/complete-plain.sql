update "outbox"."delivery"
set
  "channel" = 'DONE',
  "lease_until" = cast(null as timestamp(6) with time zone)
where (
  "outbox"."delivery"."id" = $1
  and "outbox"."delivery"."epoch" = $2
  and "outbox"."delivery"."channel" = 'RUNNING'
  and "outbox"."delivery"."lease_until" > clock_timestamp()
)
returning "outbox"."delivery"."id", "outbox"."delivery"."epoch"
