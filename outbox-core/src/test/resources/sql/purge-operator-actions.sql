with
  "walked_rows" as materialized (
    select
      "outbox"."operator_action"."id",
      ("outbox"."operator_action"."acted_at" <= (statement_timestamp() - cast($1 as interval day to second))) as "old"
    from "outbox"."operator_action"
    where "outbox"."operator_action"."id" > $2
    order by "outbox"."operator_action"."id"
    fetch next 1000 rows only
  ),
  "old_rows" as materialized (
    select "outbox"."operator_action"."id"
    from "outbox"."operator_action"
    where "outbox"."operator_action"."id" = any (
      array(
        select "walked_rows"."id"
        from "walked_rows"
        where "walked_rows"."old"
      )
    )
    order by "outbox"."operator_action"."id"
    for update skip locked
  ),
  "removed_rows" as (
    delete from "outbox"."operator_action"
    where "outbox"."operator_action"."id" = any (
      array(
        select "old_rows"."id"
        from "old_rows"
      )
    )
    returning "outbox"."operator_action"."id"
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
