package dev.fencedoutbox.it.model;

import static dev.fencedoutbox.it.shop.Tables.JOB;
import static dev.fencedoutbox.schema.Tables.DELIVERY;

import dev.fencedoutbox.it.shop.enums.JobState;
import dev.fencedoutbox.schema.enums.DeliveryStatus;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** What otherwise only time does: leases ran out, and waits ended, an hour ago. */
record Pass(What what, Set<Id> ids) implements Action {

  /** What passes. */
  enum What {
    LEASE,
    WAIT
  }

  @Override
  public Answer inModel(World world, Time now) {
    List<Row> moved =
        world.rows(
            row ->
                ids.contains(row.id())
                    && row.state() == (what == What.LEASE ? Row.State.LEASED : Row.State.READY));
    moved.forEach(row -> world.put(what == What.LEASE ? row.expired(now) : row.madeDue(now)));
    return Answer.ofTouched(moved.stream().map(Row::id).toList());
  }

  @Override
  public Answer inDatabase(Product product, DSLContext dsl) {
    Kind kind = product.kind;
    Field<OffsetDateTime> time =
        DSL.field(
            "clock_timestamp() - cast({0} as interval)",
            SQLDataType.TIMESTAMPWITHTIMEZONE, "1 hour");
    Table<?> table = kind == Kind.JOBS ? JOB : DELIVERY;
    List<Long> moved =
        dsl.update(table)
            .set(what == What.LEASE ? kind.leaseUntil() : kind.due(), time)
            .where(product.among(ids))
            .and(state(kind))
            .returningResult(kind.number())
            .fetch(kind.number());
    return Answer.ofTouched(moved.stream().sorted().map(product::name).toList());
  }

  private Condition state(Kind kind) {
    if (kind == Kind.JOBS) {
      return JOB.STATE.eq(what == What.LEASE ? JobState.RUNNING : JobState.READY);
    }
    return DELIVERY.STATUS.eq(
        what == What.LEASE ? DeliveryStatus.INPROGRESS : DeliveryStatus.READY);
  }

  @Override
  public Action renamed(UnaryOperator<String> events) {
    return new Pass(what, Id.renamed(ids, events));
  }

  @Override
  public String toString() {
    return (what == What.LEASE ? "the leases end of " : "the waits end of ") + ids;
  }
}
