update "outbox"."delivery"
set
  "lease_until" = greatest(
    "outbox"."delivery"."lease_until",
    (
      select (clock_timestamp() + cast($1 as interval day to second))
    )
  )
from (
  select
    unnest(cast(
      $2
      as bigint[]
    )) as "row_key",
    unnest(cast(
      $3
      as bigint[]
    )) as "epoch"
) as "held_leases"
where (
  "outbox"."delivery"."id" = "held_leases"."row_key"
  and "outbox"."delivery"."epoch" = "held_leases"."epoch"
  and "outbox"."delivery"."status" = cast('INPROGRESS' as "outbox"."delivery_status")
  and "outbox"."delivery"."lease_until" > clock_timestamp()
)
returning "outbox"."delivery"."id", "outbox"."delivery"."epoch", "outbox"."delivery"."lease_until"
