select "outbox"."message"."id", "outbox"."message"."ordering_key"
from "outbox"."receipt"
  join "outbox"."message"
    on "outbox"."message"."id" = "outbox"."receipt"."message_id"
where (
  "outbox"."receipt"."channel" = $1
  and not exists (
    select 1 as "one"
    from "outbox"."receipt" as "later_receipt"
    where (
      "later_receipt"."message_id" = "outbox"."receipt"."message_id"
      and "later_receipt"."channel" = "outbox"."receipt"."channel"
      and "later_receipt"."delivery_id" > "outbox"."receipt"."delivery_id"
    )
  )
  and not exists (
    select 1 as "one"
    from "outbox"."delivery"
    where (
      "outbox"."delivery"."message_id" = "outbox"."message"."id"
      and "outbox"."delivery"."channel" = $2
    )
  )
  and "outbox"."message"."topic" = $3
  and "outbox"."receipt"."delivered_at" >= cast($4 as timestamp(6) with time zone)
  and "outbox"."receipt"."delivered_at" < cast($5 as timestamp(6) with time zone)
)
order by "outbox"."message"."id"
fetch next 1000 rows only
