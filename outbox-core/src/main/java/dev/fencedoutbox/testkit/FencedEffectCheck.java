package dev.fencedoutbox.testkit;

import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.testkit.Ambush.Other;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Proves that an application's own effect is fenced: whoever has lost its lease changes nothing,
 * however late, and does not harm the new owner.
 *
 * <p>It runs the effect once under a lease that holds, where it must apply. Then, each time on a
 * row of its own: under a lease that is over, that was taken over, that was given back, of a row
 * that is done; stopped right before each of its statements and its commit, while another owner
 * takes the row over, and writes first; and waiting in the database while a takeover is being
 * committed. The order of these events is forced; nothing sleeps.
 *
 * <p>What it cannot see: writes outside the given context, and writes that {@link
 * EffectUnderTest#state} does not show.
 *
 * <p>Immutable and thread-safe. Source: article 002, <i>Force the late worker to arrive</i>.
 *
 * @param <K> the type of the leased table's key
 */
public final class FencedEffectCheck<K> {

  private final DSLContext dsl;
  private final LeaseTable<K, ?> table;

  private FencedEffectCheck(DSLContext dsl, LeaseTable<K, ?> table) {
    this.dsl = dsl;
    this.table = table;
  }

  /**
   * A check of effects under leases on that table.
   *
   * @param dsl outside any transaction, on a pool of at least four connections; what is written
   *     through it stays there
   */
  public static <K> FencedEffectCheck<K> on(DSLContext dsl, LeaseTable<K, ?> table) {
    return new FencedEffectCheck<>(dsl, table);
  }

  /**
   * Runs the effect in every situation.
   *
   * @throws AssertionError if it is not fenced; it names each situation in which it was not, and
   *     what happened
   * @throws IllegalStateException if the check itself could not go on
   */
  public void assertFenced(EffectUnderTest<K> effect) {
    List<String> steps = stepsUnderALeaseThatHolds(effect);
    Findings findings = new Findings();
    underALeaseThatIsLost(effect, findings);
    for (int step = 0; step < steps.size(); step++) {
      String situation =
          "taken over right before step %d of %d (%s)"
              .formatted(step + 1, steps.size(), steps.get(step));
      new Ambush<>(dsl, trial(effect), Other.WRITES_LATER).before(step, situation, findings);
      new Ambush<>(dsl, trial(effect), Other.WRITES_FIRST)
          .before(step, situation + ", by an owner who has written", findings);
    }
    new Crossing<>(dsl, trial(effect))
        .check("arriving while a takeover is being committed", findings);
    findings.throwIfAny(
        "The effect is not fenced by its lease on %s:".formatted(table),
        "Write it by Leases.finish or Leases.apply; or, in its transaction, call Leases.hold or"
            + " Leases.complete first and roll back if that is refused.");
  }

  private List<String> stepsUnderALeaseThatHolds(EffectUnderTest<K> effect) {
    Trial<K> trial = trial(effect);
    Steps steps = Steps.watched();
    Findings findings = new Findings();
    @Nullable Object before = trial.state();
    findings.requireApplied("under a lease that holds", "its owner", trial.run(steps));
    if (findings.isEmpty() && Objects.equals(before, trial.state())) {
      findings.add("under a lease that holds", "state() is %s as before".formatted(before));
    }
    if (steps.seen().isEmpty()) {
      findings.add("under a lease that holds", "no statement went through the given DSLContext");
    }
    findings.throwIfAny(
        "The effect under leases on %s cannot be checked, since it does not apply:"
            .formatted(table),
        "Let run() apply the effect and return true, and let state() show it.");
    return steps.seen();
  }

  private void underALeaseThatIsLost(EffectUnderTest<K> effect, Findings findings) {
    late("expired", effect, findings, t -> t.mover(dsl).expire(t.lease().key()));
    late("completed", effect, findings, t -> accepted(Trial.FIRST.complete(dsl, t.lease())));
    late("released", effect, findings, t -> accepted(Trial.FIRST.release(dsl, t.lease())));
    late(
        "superseded by an owner who has written",
        effect,
        findings,
        t -> {
          Lease<K> others = t.mover(dsl).takeOver(t.lease().key());
          findings.requireApplied("superseded", "the new owner", t.run(dsl, others));
        });
  }

  private void late(
      String situation,
      EffectUnderTest<K> effect,
      Findings findings,
      Consumer<Trial<K>> loseTheLease) {
    Trial<K> trial = trial(effect);
    loseTheLease.accept(trial);
    @Nullable Object before = trial.state();
    findings.requireRefused(situation, trial.run(Steps.watched()));
    findings.requireSame(situation, before, trial.state());
  }

  private Trial<K> trial(EffectUnderTest<K> effect) {
    return new Trial<>(dsl, table, effect);
  }

  private static void accepted(LeaseOutcome outcome) {
    if (!outcome.accepted()) {
      throw new IllegalStateException("A lease that must hold was refused: " + outcome);
    }
  }
}
