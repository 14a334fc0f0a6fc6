with recursive
  "key_heads" as (
    (
      select
        "outbox"."delivery"."ordering_key",
        "outbox"."delivery"."id",
        "outbox"."delivery"."attempts",
        "outbox"."delivery"."status",
        "outbox"."delivery"."lease_until",
        "outbox"."delivery"."next_attempt_at"
      from "outbox"."delivery"
      where (
        "outbox"."delivery"."channel" = $1
        and "outbox"."delivery"."ordering_key" is not null
        and "outbox"."delivery"."ordering_key" > $2
      )
      order by "outbox"."delivery"."ordering_key", "outbox"."delivery"."id"
      fetch next 1 rows only
    )
    union all (
      select
        "next_head"."ordering_key",
        "next_head"."id",
        "next_head"."attempts",
        "next_head"."status",
        "next_head"."lease_until",
        "next_head"."next_attempt_at"
      from "key_heads"
        cross join lateral (
          select
            "outbox"."delivery"."ordering_key",
            "outbox"."delivery"."id",
            "outbox"."delivery"."attempts",
            "outbox"."delivery"."status",
            "outbox"."delivery"."lease_until",
            "outbox"."delivery"."next_attempt_at"
          from "outbox"."delivery"
          where (
            "outbox"."delivery"."channel" = $3
            and "outbox"."delivery"."ordering_key" is not null
            and "outbox"."delivery"."ordering_key" > "key_heads"."ordering_key"
          )
          order by "outbox"."delivery"."ordering_key", "outbox"."delivery"."id"
          fetch next 1 rows only
        ) as "next_head"
    )
  ),
  "claimable_runs" as materialized (
    select
      row_number() over () as "walk_position",
      "walked_heads"."ordering_key",
      "run"."id",
      (
        "walked_heads"."status" = cast('INPROGRESS' as "outbox"."delivery_status")
        and "run"."id" = "walked_heads"."id"
      ) as "was_leased"
    from (
      select
        "key_heads"."ordering_key",
        "key_heads"."id",
        "key_heads"."attempts",
        "key_heads"."status",
        "key_heads"."lease_until",
        "key_heads"."next_attempt_at",
        (
          "key_heads"."next_attempt_at" <= statement_timestamp()
          and (
            "key_heads"."status" = cast('READY' as "outbox"."delivery_status")
            or (
              "key_heads"."status" = cast('INPROGRESS' as "outbox"."delivery_status")
              and "key_heads"."lease_until" <= statement_timestamp()
            )
          )
        ) as "free"
      from "key_heads"
    ) as "walked_heads"
      left outer join lateral (
        with
          "members" as materialized (
            select
              "members_in_order"."id",
              row_number() over (order by "members_in_order"."id") as "rank_in_key"
            from (
              select "outbox"."delivery"."id"
              from "outbox"."delivery"
              where (
                "walked_heads"."free"
                and "outbox"."delivery"."channel" = $4
                and "outbox"."delivery"."ordering_key" is not null
                and ("outbox"."delivery"."ordering_key", "outbox"."delivery"."id") >= ("walked_heads"."ordering_key", "walked_heads"."id")
                and "outbox"."delivery"."ordering_key" <= "walked_heads"."ordering_key"
              )
              order by "outbox"."delivery"."ordering_key", "outbox"."delivery"."id"
              fetch next 30 rows only
            ) as "members_in_order"
          )
        select "takeable"."id", "takeable"."rank_in_key"
        from "members"
          join (
            select
              "takeable_in_order"."id",
              row_number() over (order by "takeable_in_order"."id") as "rank_in_key"
            from (
              select "outbox"."delivery"."id"
              from "outbox"."delivery"
              where (
                "outbox"."delivery"."id" = any (
                  array(
                    select "members"."id"
                    from "members"
                  )
                )
                and "outbox"."delivery"."next_attempt_at" <= statement_timestamp()
                and (
                  "outbox"."delivery"."status" = cast('READY' as "outbox"."delivery_status")
                  or (
                    "outbox"."delivery"."status" = cast('INPROGRESS' as "outbox"."delivery_status")
                    and "outbox"."delivery"."lease_until" <= statement_timestamp()
                  )
                )
                and (
                  "outbox"."delivery"."id" = "walked_heads"."id"
                  or (
                    "outbox"."delivery"."attempts" = $5
                    and "walked_heads"."attempts" = $6
                  )
                )
              )
              order by "outbox"."delivery"."id"
              for no key update skip locked
            ) as "takeable_in_order"
          ) as "takeable"
            on (
              "members"."id" = "takeable"."id"
              and "members"."rank_in_key" = "takeable"."rank_in_key"
            )
        order by "takeable"."rank_in_key"
      ) as "run"
        on true
    fetch next 100 rows only
  ),
  "claimed_rows" as (
    update "outbox"."delivery"
    set
      "status" = case
        when "outbox"."delivery"."attempts" >= 10 then cast('DEAD' as "outbox"."delivery_status")
        else cast('INPROGRESS' as "outbox"."delivery_status")
      end,
      "epoch" = case
        when "outbox"."delivery"."attempts" >= 10 then "outbox"."delivery"."epoch"
        else ("outbox"."delivery"."epoch" + 1)
      end,
      "attempts" = case
        when "outbox"."delivery"."attempts" >= 10 then "outbox"."delivery"."attempts"
        else ("outbox"."delivery"."attempts" + 1)
      end,
      "lease_until" = case
        when not ("outbox"."delivery"."attempts" >= 10) then (
          select (clock_timestamp() + cast($7 as interval day to second))
        )
      end,
      "lease_owner" = case
        when not ("outbox"."delivery"."attempts" >= 10) then $8
      end,
      "next_attempt_at" = case
        when "outbox"."delivery"."attempts" >= 10 then timestamp with time zone '9999-12-31 00:00:00+00:00'
        else "outbox"."delivery"."next_attempt_at"
      end,
      "last_error" = case
        when "outbox"."delivery"."attempts" >= 10 then ('The attempt budget of 10 is used up. Last error: ' || coalesce(
          left("outbox"."delivery"."last_error", 2000),
          'none was reported; the worker died or its lease ran out.'
        ))
        else "outbox"."delivery"."last_error"
      end
    from "outbox"."message"
    where (
      "outbox"."delivery"."id" = any (
        array(
          select "claimable_runs"."id"
          from "claimable_runs"
        )
      )
      and "outbox"."message"."id" = "outbox"."delivery"."message_id"
    )
    returning 
      "outbox"."delivery"."id",
      "outbox"."delivery"."epoch",
      "outbox"."delivery"."attempts",
      "outbox"."delivery"."lease_until",
      "outbox"."delivery"."last_error",
      ("outbox"."delivery"."status" = cast('DEAD' as "outbox"."delivery_status")) as "buried",
      ("outbox"."delivery"."id" = any (
        array(
          select "claimable_runs"."id"
          from "claimable_runs"
          where "claimable_runs"."was_leased"
        )
      )) as "reclaimed",
      "outbox"."delivery"."channel",
      "outbox"."delivery"."status",
      "outbox"."delivery"."next_attempt_at",
      "outbox"."message"."event_id",
      "outbox"."message"."topic",
      "outbox"."message"."content_type",
      "outbox"."message"."ordering_key",
      "outbox"."message"."headers",
      "outbox"."message"."created_at",
      "outbox"."message"."payload_json",
      "outbox"."message"."payload_bytes"
  )
select
  "claimable_runs"."ordering_key" as "walk_key",
  "claimed_rows"."id",
  "claimed_rows"."epoch",
  "claimed_rows"."attempts",
  "claimed_rows"."lease_until",
  "claimed_rows"."last_error",
  "claimed_rows"."buried",
  "claimed_rows"."reclaimed",
  "claimed_rows"."channel",
  "claimed_rows"."status",
  "claimed_rows"."next_attempt_at",
  "claimed_rows"."event_id",
  "claimed_rows"."topic",
  "claimed_rows"."content_type",
  "claimed_rows"."ordering_key",
  "claimed_rows"."headers",
  "claimed_rows"."created_at",
  "claimed_rows"."payload_json",
  "claimed_rows"."payload_bytes"
from "claimable_runs"
  left outer join "claimed_rows"
    on "claimable_runs"."id" = "claimed_rows"."id"
order by "claimable_runs"."walk_position"
