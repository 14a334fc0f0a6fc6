with
  "due_rows" as materialized (
    select "outbox"."delivery"."status", "outbox"."delivery"."next_attempt_at", "outbox"."delivery"."lease_until"
    from "outbox"."delivery"
    where (
      "outbox"."delivery"."channel" = $1
      and "outbox"."delivery"."ordering_key" is null
      and "outbox"."delivery"."next_attempt_at" <= statement_timestamp()
    )
    order by "outbox"."delivery"."next_attempt_at", "outbox"."delivery"."id"
    fetch next 10000 rows only
  ),
  "keyed_rows" as materialized (
    select "outbox"."delivery"."status", "outbox"."delivery"."next_attempt_at", "outbox"."delivery"."lease_until"
    from "outbox"."delivery"
    where (
      "outbox"."delivery"."channel" = $2
      and "outbox"."delivery"."ordering_key" is not null
    )
    order by "outbox"."delivery"."ordering_key", "outbox"."delivery"."id"
    fetch next 10000 rows only
  ),
  "later_rows" as materialized (
    select "outbox"."delivery"."id"
    from "outbox"."delivery"
    where (
      "outbox"."delivery"."channel" = $3
      and "outbox"."delivery"."ordering_key" is null
      and "outbox"."delivery"."next_attempt_at" > statement_timestamp()
      and "outbox"."delivery"."next_attempt_at" < timestamp with time zone '9999-12-31 00:00:00+00:00'
    )
    order by "outbox"."delivery"."next_attempt_at", "outbox"."delivery"."id"
    fetch next 10000 rows only
  ),
  "dead_rows" as materialized (
    select "outbox"."delivery"."id"
    from "outbox"."delivery"
    where (
      "outbox"."delivery"."channel" = $4
      and "outbox"."delivery"."next_attempt_at" = timestamp with time zone '9999-12-31 00:00:00+00:00'
    )
    order by "outbox"."delivery"."id"
    fetch next 10000 rows only
  )
select
  statement_timestamp() as "at_moment",
  min(greatest(
    "met_rows"."next_attempt_at",
    coalesce("met_rows"."lease_until", "met_rows"."next_attempt_at")
  )) filter (where (
    "met_rows"."next_attempt_at" <= statement_timestamp()
    and (
      "met_rows"."status" = cast('READY' as "outbox"."delivery_status")
      or (
        "met_rows"."status" = cast('INPROGRESS' as "outbox"."delivery_status")
        and "met_rows"."lease_until" <= statement_timestamp()
      )
    )
  )) as "oldest_since",
  count(*) filter (where (
    "met_rows"."next_attempt_at" <= statement_timestamp()
    and (
      "met_rows"."status" = cast('READY' as "outbox"."delivery_status")
      or (
        "met_rows"."status" = cast('INPROGRESS' as "outbox"."delivery_status")
        and "met_rows"."lease_until" <= statement_timestamp()
      )
    )
  )) as "eligible",
  count(*) filter (where (
    "met_rows"."status" = cast('READY' as "outbox"."delivery_status")
    and not ("met_rows"."next_attempt_at" <= statement_timestamp())
  )) as "waiting",
  count(*) filter (where (
    "met_rows"."status" = cast('INPROGRESS' as "outbox"."delivery_status")
    and "met_rows"."lease_until" > statement_timestamp()
  )) as "in_flight",
  count(*) filter (where (
    "met_rows"."status" = cast('INPROGRESS' as "outbox"."delivery_status")
    and "met_rows"."lease_until" <= statement_timestamp()
  )) as "expired",
  (
    select count(*)
    from "later_rows"
  ) as "later",
  (
    select count(*)
    from "dead_rows"
  ) as "dead",
  (
    select count(*)
    from "due_rows"
  ) as "due_met",
  (
    select count(*)
    from "keyed_rows"
  ) as "keyed_met",
  (
    select "outbox"."message"."created_at"
    from "outbox"."delivery"
      join "outbox"."message"
        on "outbox"."message"."id" = "outbox"."delivery"."message_id"
    where (
      "outbox"."delivery"."channel" = $5
      and "outbox"."delivery"."next_attempt_at" = timestamp with time zone '9999-12-31 00:00:00+00:00'
    )
    order by "outbox"."delivery"."id"
    fetch next 1 rows only
  ) as "oldest_dead"
from (
  select "due_rows"."status", "due_rows"."next_attempt_at", "due_rows"."lease_until"
  from "due_rows"
  union all
  select "keyed_rows"."status", "keyed_rows"."next_attempt_at", "keyed_rows"."lease_until"
  from "keyed_rows"
) as "met_rows"
