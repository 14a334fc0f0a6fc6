package dev.fencedoutbox.operate;

import static dev.fencedoutbox.internal.Columns.column;
import static dev.fencedoutbox.internal.DatabaseClock.never;
import static dev.fencedoutbox.internal.DatabaseClock.statementTimestamp;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.min;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectCount;
import static org.jooq.impl.DSL.with;

import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.schema.enums.DeliveryStatus;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Record1;
import org.jooq.ResultQuery;
import org.jooq.Select;
import org.jooq.SelectConditionStep;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/** The one query of the signals: four bounded walks, and what was met on them. */
record SignalsSql(Channel channel, int limit) {

  private static final Field<OffsetDateTime> AT = statementTimestamp().as("at_moment");
  private static final Field<OffsetDateTime> OLDEST = statementTimestamp().as("oldest_since");
  private static final Field<OffsetDateTime> OLDEST_DEAD = statementTimestamp().as("oldest_dead");
  private static final Field<Integer> ELIGIBLE = inline(0).as("eligible");
  private static final Field<Integer> WAITING = inline(0).as("waiting");
  private static final Field<Integer> IN_FLIGHT = inline(0).as("in_flight");
  private static final Field<Integer> EXPIRED = inline(0).as("expired");
  private static final Field<Integer> LATER = inline(0).as("later");
  private static final Field<Integer> DEAD = inline(0).as("dead");
  private static final Field<Integer> DUE_MET = inline(0).as("due_met");
  private static final Field<Integer> KEYED_MET = inline(0).as("keyed_met");

  private static final Condition UNKEYED = DELIVERY.ORDERING_KEY.isNull();

  ResultQuery<Record> query() {
    CommonTableExpression<Record> due = due();
    CommonTableExpression<Record> keyed = keyed();
    CommonTableExpression<Record1<Long>> later = later();
    CommonTableExpression<Record1<Long>> dead = dead();
    Table<Record> met =
        select(due.fields())
            .from(due)
            .unionAll(select(keyed.fields()).from(keyed))
            .asTable("met_rows");
    return with(List.of(due, keyed, later, dead))
        .select(figures(met))
        .select(
            field(selectCount().from(later)).as(LATER),
            field(selectCount().from(dead)).as(DEAD),
            field(selectCount().from(due)).as(DUE_MET),
            field(selectCount().from(keyed)).as(KEYED_MET),
            field(oldestDead()).as(OLDEST_DEAD))
        .from(met);
  }

  private CommonTableExpression<Record> due() {
    return name("due_rows")
        .asMaterialized(
            rows(UNKEYED.and(DELIVERY.NEXT_ATTEMPT_AT.le(statementTimestamp())))
                .orderBy(DELIVERY.NEXT_ATTEMPT_AT, DELIVERY.ID)
                .limit(inline(limit)));
  }

  private CommonTableExpression<Record> keyed() {
    return name("keyed_rows")
        .asMaterialized(
            rows(DELIVERY.ORDERING_KEY.isNotNull())
                .orderBy(DELIVERY.ORDERING_KEY, DELIVERY.ID)
                .limit(inline(limit)));
  }

  private CommonTableExpression<Record1<Long>> later() {
    return name("later_rows")
        .asMaterialized(
            select(DELIVERY.ID)
                .from(DELIVERY)
                .where(ofChannel())
                .and(UNKEYED)
                .and(DELIVERY.NEXT_ATTEMPT_AT.gt(statementTimestamp()))
                .and(DELIVERY.NEXT_ATTEMPT_AT.lt(never()))
                .orderBy(DELIVERY.NEXT_ATTEMPT_AT, DELIVERY.ID)
                .limit(inline(limit)));
  }

  private CommonTableExpression<Record1<Long>> dead() {
    return name("dead_rows")
        .asMaterialized(
            select(DELIVERY.ID)
                .from(DELIVERY)
                .where(ofChannel())
                .and(DELIVERY.NEXT_ATTEMPT_AT.eq(never()))
                .orderBy(DELIVERY.ID)
                .limit(inline(limit)));
  }

  private SelectConditionStep<Record> rows(Condition which) {
    return select(
            List.<Field<?>>of(DELIVERY.STATUS, DELIVERY.NEXT_ATTEMPT_AT, DELIVERY.LEASE_UNTIL))
        .from(DELIVERY)
        .where(ofChannel())
        .and(which);
  }

  private Condition ofChannel() {
    return DELIVERY.CHANNEL.eq(channel.name());
  }

  private Select<Record1<OffsetDateTime>> oldestDead() {
    return select(MESSAGE.CREATED_AT)
        .from(DELIVERY)
        .join(MESSAGE)
        .on(MESSAGE.ID.eq(DELIVERY.MESSAGE_ID))
        .where(ofChannel())
        .and(DELIVERY.NEXT_ATTEMPT_AT.eq(never()))
        .orderBy(DELIVERY.ID)
        .limit(inline(1));
  }

  private static List<Field<?>> figures(Table<Record> met) {
    Field<OffsetDateTime> dueAt = column(met, DELIVERY.NEXT_ATTEMPT_AT);
    Field<OffsetDateTime> leaseUntil = column(met, DELIVERY.LEASE_UNTIL);
    Condition due = dueAt.le(statementTimestamp());
    Condition ready = is(met, DeliveryStatus.READY);
    Condition leased = is(met, DeliveryStatus.INPROGRESS);
    Condition over = leased.and(leaseUntil.le(statementTimestamp()));
    Condition eligible = due.and(ready.or(over));
    return List.of(
        statementTimestamp().as(AT),
        min(greatest(dueAt, coalesce(leaseUntil, dueAt))).filterWhere(eligible).as(OLDEST),
        count().filterWhere(eligible).as(ELIGIBLE),
        count().filterWhere(ready.and(due.not())).as(WAITING),
        count().filterWhere(leased.and(leaseUntil.gt(statementTimestamp()))).as(IN_FLIGHT),
        count().filterWhere(over).as(EXPIRED));
  }

  private static Condition is(Table<Record> met, DeliveryStatus status) {
    return column(met, DELIVERY.STATUS).eq(inline(status, DELIVERY.STATUS));
  }

  Snapshot read(Record row) {
    OffsetDateTime at = row.get(AT);
    int later = row.get(LATER);
    int dead = row.get(DEAD);
    return new Snapshot(
        at,
        age(row.get(OLDEST), at),
        row.get(ELIGIBLE),
        row.get(WAITING) + later,
        row.get(IN_FLIGHT),
        row.get(EXPIRED),
        dead,
        age(row.get(OLDEST_DEAD), at),
        Math.max(Math.max(later, dead), Math.max(row.get(DUE_MET), row.get(KEYED_MET))) >= limit);
  }

  private static @Nullable Duration age(@Nullable OffsetDateTime since, OffsetDateTime at) {
    return since == null ? null : Duration.between(since, at);
  }
}
