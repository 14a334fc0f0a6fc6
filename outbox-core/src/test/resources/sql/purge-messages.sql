with
  "walked_rows" as materialized (
    select
      "outbox"."message"."id",
      ("outbox"."message"."created_at" <= (statement_timestamp() - cast($1 as interval day to second))) as "old"
    from "outbox"."message"
    where "outbox"."message"."id" > $2
    order by "outbox"."message"."id"
    fetch next 1000 rows only
  ),
  "finished_messages" as materialized (
    select "outbox"."message"."id"
    from "outbox"."message"
    where (
      "outbox"."message"."id" = any (
        array(
          select "walked_rows"."id"
          from "walked_rows"
          where "walked_rows"."old"
        )
      )
      and not exists (
        select 1 as "one"
        from "outbox"."delivery"
        where "outbox"."delivery"."message_id" = "outbox"."message"."id"
      )
      and not exists (
        select 1 as "one"
        from "outbox"."receipt"
        where (
          "outbox"."receipt"."message_id" = "outbox"."message"."id"
          and not ("outbox"."receipt"."delivered_at" <= (statement_timestamp() - cast($3 as interval day to second)))
        )
      )
    )
    order by "outbox"."message"."id"
    for update skip locked
  ),
  "removed_receipts" as (
    delete from "outbox"."receipt"
    where "outbox"."receipt"."message_id" = any (
      array(
        select "finished_messages"."id"
        from "finished_messages"
      )
    )
    returning "outbox"."receipt"."message_id"
  ),
  "removed_rows" as (
    delete from "outbox"."message"
    where "outbox"."message"."id" = any (
      array(
        select "finished_messages"."id"
        from "finished_messages"
      )
    )
    returning "outbox"."message"."id"
  )
select
  (
    select count(*)
    from "removed_rows"
  ),
  count(*),
  count(*) filter (where "walked_rows"."old"),
  max("walked_rows"."id")
from "walked_rows"
