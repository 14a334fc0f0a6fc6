package dev.fencedoutbox.testkit;

import dev.fencedoutbox.lease.Lease;
import java.util.Objects;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** The first owner is stopped right before one of its steps while another takes the row over. */
final class Ambush<K> {

  /** When the other owner writes. */
  enum Other {
    WRITES_FIRST,
    WRITES_LATER
  }

  /**
   * What the other owner did.
   *
   * @param lease empty if the first owner had locked or finished the row, so that nobody could have
   *     it
   * @param before the state when it took over
   * @param answer of its effect, if it wrote
   * @param after the state when it had written
   */
  private record Takeover<K>(
      Optional<Lease<K>> lease,
      @Nullable Object before,
      @Nullable Answer answer,
      @Nullable Object after) {}

  private final DSLContext dsl;
  private final Trial<K> trial;
  private final Other when;
  private @Nullable Worker<Takeover<K>> other;
  private boolean otherWaits;

  Ambush(DSLContext dsl, Trial<K> trial, Other when) {
    this.dsl = dsl;
    this.trial = trial;
    this.when = when;
  }

  void before(int step, String situation, Findings findings) {
    @Nullable Object atStart = trial.state();
    Steps steps = Steps.stoppedAt(step, this::takeOver);
    Answer late = trial.run(steps);
    if (steps.isBroken()) {
      throw new IllegalStateException("The check could not go on.", late.thrown());
    }
    if (other == null) {
      return; // this time it went another way, and not over that step
    }
    @Nullable Object atEnd = trial.state();
    Takeover<K> takeover = other.result(); // if it waited for the first owner, it could go on now
    if (takeover.lease().isEmpty()) {
      findings.requireApplied(situation, "the first owner", late);
      return;
    }
    findings.requireRefused(situation, late);
    if (!otherWaits) {
      findings.requireSame(situation, takeover.after(), atEnd);
    }
    if (Objects.equals(atStart, takeover.before())) {
      Lease<K> others = takeover.lease().orElseThrow();
      Answer answer = takeover.answer() == null ? trial.run(dsl, others) : takeover.answer();
      findings.requireApplied(situation, "the new owner", answer);
    }
  }

  private void takeOver() {
    Steps steps = Steps.watched();
    other = Worker.start(steps, () -> takeOver(steps));
    otherWaits = !other.awaitDoneOrBlocked(dsl);
  }

  private Takeover<K> takeOver(Steps steps) {
    Optional<Lease<K>> lease = trial.mover(dsl).tryTakeOver(trial.lease().key());
    @Nullable Object before = trial.state();
    if (lease.isEmpty() || when == Other.WRITES_LATER) {
      return new Takeover<>(lease, before, null, before);
    }
    Answer answer = trial.run(steps.of(dsl), lease.orElseThrow());
    return new Takeover<>(lease, before, answer, trial.state());
  }
}
