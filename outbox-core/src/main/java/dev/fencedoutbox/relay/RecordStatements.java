package dev.fencedoutbox.relay;

import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.engine.Answer;
import dev.fencedoutbox.engine.Verdict;
import dev.fencedoutbox.engine.Writes;
import dev.fencedoutbox.internal.HostContext;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.RepeatedCompletion;
import dev.fencedoutbox.schema.enums.DeliveryStatus;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;

/** What each verdict writes: guarded by the leases, except where a row is DEAD already. */
final class RecordStatements {

  private final Leases leases;
  private final RepeatedCompletion<Long> completion;
  private final RelayOptions options;

  RecordStatements(Leases leases, LeaseTable<Long, ?> deliveries, RelayOptions options) {
    this.leases = leases;
    this.completion = leases.repeatedCompletion(deliveries);
    this.options = options;
  }

  /** Writes answers of one kind; outcomes in their order. */
  List<LeaseOutcome> write(DSLContext tx, List<Answer> same) {
    Verdict kind = same.get(0).verdict();
    if (kind instanceof Verdict.Complete) {
      return completion.completeAll(tx, same.stream().map(Answer::lease).toList());
    }
    return kind instanceof Verdict.Dead ? bury(tx, same) : Writes.of(leases, tx, same);
  }

  private List<LeaseOutcome> bury(DSLContext tx, List<Answer> dead) {
    List<LeaseOutcome> outcomes = Writes.of(leases, tx, dead);
    if (options.deadHead() == DeadHeadPolicy.SKIP) {
      List<Long> buried = new ArrayList<>();
      for (int i = 0; i < dead.size(); i++) {
        if (outcomes.get(i).accepted()) {
          buried.add(dead.get(i).lease().key());
        }
      }
      skip(tx, buried);
    }
    return outcomes;
  }

  /** Takes DEAD deliveries out of their ordering keys. The message still says which they were. */
  static void skip(DSLContext tx, List<Long> dead) {
    if (!dead.isEmpty()) {
      HostContext.of(tx)
          .update(DELIVERY)
          .setNull(DELIVERY.ORDERING_KEY)
          .where(DELIVERY.ID.eq(any(val(dead.toArray(Long[]::new)))))
          .and(DELIVERY.STATUS.eq(DeliveryStatus.DEAD))
          .and(DELIVERY.ORDERING_KEY.isNotNull())
          .execute();
    }
  }
}
