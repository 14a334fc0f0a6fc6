with
  "walked_rows" as materialized (
    select
      "outbox"."inbox"."consumer",
      "outbox"."inbox"."event_id",
      ("outbox"."inbox"."received_at" <= (statement_timestamp() - cast($1 as interval day to second))) as "old"
    from "outbox"."inbox"
    where ("outbox"."inbox"."consumer", "outbox"."inbox"."event_id") > ($2, $3)
    order by "outbox"."inbox"."consumer", "outbox"."inbox"."event_id"
    fetch next 1000 rows only
  ),
  "old_rows" as materialized (
    select "outbox"."inbox"."consumer", "outbox"."inbox"."event_id"
    from "walked_rows"
      join "outbox"."inbox"
        on (
          "outbox"."inbox"."consumer" = "walked_rows"."consumer"
          and "outbox"."inbox"."event_id" = "walked_rows"."event_id"
        )
    where "walked_rows"."old"
    order by "outbox"."inbox"."consumer", "outbox"."inbox"."event_id"
    for update of "inbox" skip locked
  ),
  "removed_rows" as (
    delete from "outbox"."inbox"
    using "old_rows"
    where (
      "outbox"."inbox"."consumer" = "old_rows"."consumer"
      and "outbox"."inbox"."event_id" = "old_rows"."event_id"
    )
    returning "outbox"."inbox"."consumer"
  )
select
  (
    select count(*)
    from "removed_rows"
  ),
  (
    select count(*)
    from "walked_rows"
  ),
  (
    select "last_walked"."consumer"
    from (
      select "walked_rows"."consumer", "walked_rows"."event_id"
      from "walked_rows"
      order by "walked_rows"."consumer" desc, "walked_rows"."event_id" desc
      fetch next 1 rows only
    ) as "last_walked"
  ),
  (
    select "last_walked"."event_id"
    from (
      select "walked_rows"."consumer", "walked_rows"."event_id"
      from "walked_rows"
      order by "walked_rows"."consumer" desc, "walked_rows"."event_id" desc
      fetch next 1 rows only
    ) as "last_walked"
  )
