package dev.fencedoutbox.engine;

import dev.fencedoutbox.lease.Burial;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.Retry;
import java.util.List;
import org.jooq.DSLContext;

/** What verdicts write whatever was leased, guarded by the leases. */
public final class Writes {

  private Writes() {}

  /** Writes answers of one kind, one or more, unless they complete; outcomes in their order. */
  public static List<LeaseOutcome> of(Leases leases, DSLContext tx, List<Answer> same) {
    List<Lease<Long>> held = same.stream().map(Answer::lease).toList();
    Verdict kind = same.get(0).verdict();
    if (kind instanceof Verdict.Complete) {
      throw new IllegalArgumentException("What completing means depends on what is leased");
    } else if (kind instanceof Verdict.Again) {
      return leases.retryAll(tx, same.stream().map(Writes::retry).toList());
    } else if (kind instanceof Verdict.Dead) {
      return leases.buryAll(tx, same.stream().map(Writes::burial).toList());
    } else if (kind instanceof Verdict.Later later) {
      return leases.postponeAll(tx, held, later.after()); // the same for all
    }
    return leases.releaseAll(tx, held);
  }

  private static Retry<Long> retry(Answer answer) {
    Verdict.Again again = (Verdict.Again) answer.verdict();
    return new Retry<>(answer.lease(), again.after(), again.error());
  }

  private static Burial<Long> burial(Answer answer) {
    return new Burial<>(answer.lease(), ((Verdict.Dead) answer.verdict()).reason());
  }
}
