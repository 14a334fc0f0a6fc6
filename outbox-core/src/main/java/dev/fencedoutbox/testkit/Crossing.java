package dev.fencedoutbox.testkit;

import dev.fencedoutbox.lease.Lease;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The first owner arrives while another owner's takeover and effect are written and not committed:
 * it still sees its own lease, and has to wait for the row. What it finds afterwards must decide.
 */
final class Crossing<K> {

  /**
   * What the other owner did.
   *
   * @param late the first owner, who was waiting or done when the other one committed
   */
  private record Takeover(Answer answer, @Nullable Object state, Worker<Answer> late) {}

  private final DSLContext dsl;
  private final Trial<K> trial;

  Crossing(DSLContext dsl, Trial<K> trial) {
    this.dsl = dsl;
    this.trial = trial;
  }

  void check(String situation, Findings findings) {
    Worker<Takeover> other =
        Worker.start(Steps.watched(), () -> dsl.transactionResult(tx -> takeOver(tx.dsl())));
    Takeover takeover = other.result();
    Answer late = takeover.late().result();
    findings.requireApplied(situation, "the new owner", takeover.answer());
    findings.requireRefused(situation, late);
    findings.requireSame(situation, takeover.state(), trial.state());
  }

  private Takeover takeOver(DSLContext tx) {
    Lease<K> others = trial.mover(tx).takeOver(trial.lease().key());
    Answer answer = trial.run(tx, others);
    @Nullable Object state = trial.state(tx);
    Steps steps = Steps.watched();
    Worker<Answer> late = Worker.start(steps, () -> trial.run(steps));
    late.awaitDoneOrBlocked(dsl);
    return new Takeover(answer, state, late);
  }
}
