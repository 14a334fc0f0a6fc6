update "outbox"."delivery"
set
  "lease_until" = greatest(
    "outbox"."delivery"."lease_until",
    (
      select (clock_timestamp() + cast($1 as interval day to second))
    )
  )
where (
  "outbox"."delivery"."id" = $2
  and "outbox"."delivery"."epoch" = $3
  and "outbox"."delivery"."status" = cast('INPROGRESS' as "outbox"."delivery_status")
  and "outbox"."delivery"."lease_until" > clock_timestamp()
)
returning "outbox"."delivery"."id", "outbox"."delivery"."epoch", "outbox"."delivery"."lease_until"
