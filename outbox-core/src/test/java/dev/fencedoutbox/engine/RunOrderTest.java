package dev.fencedoutbox.engine;

import static dev.fencedoutbox.engine.Hand.alone;
import static dev.fencedoutbox.engine.Hand.delivered;
import static dev.fencedoutbox.engine.Hand.run;
import static dev.fencedoutbox.lease.LeaseOutcome.ACCEPTED;
import static dev.fencedoutbox.lease.LeaseOutcome.EXPIRED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RunOrderTest {

  private final List<Work> k = run("k", 1, 2, 3);
  private final List<Work> l = run("l", 4, 5);

  @Test
  void aPrefixOfEachRun_isKept() {
    assertThat(
            RunOrder.isKept(
                delivered(k.get(0), l.get(0), k.get(1), l.get(1), k.get(2)),
                List.of(ACCEPTED, ACCEPTED, EXPIRED, ACCEPTED, EXPIRED)))
        .isTrue();
  }

  @Test
  void acceptedAfterARefusedOneOfItsRun_isNot() {
    assertThat(
            RunOrder.isKept(
                delivered(k.get(0), l.get(0), k.get(1)), List.of(EXPIRED, ACCEPTED, ACCEPTED)))
        .isFalse();
  }

  @Test
  void withoutAKey_eachStandsAlone() {
    assertThat(RunOrder.isKept(delivered(alone(1), alone(2)), List.of(EXPIRED, ACCEPTED))).isTrue();
  }

  @Test
  void run_thatIsAborted_stopsOnlyWhatComesLater() {
    Run<?> run = k.get(0).run();
    run.abortAt(k.get(1));
    assertThat(k.stream().map(run::isAbortedBefore)).containsExactly(false, false, true);
    assertThat(k.stream().map(run::isBrokenBefore)).containsExactly(false, false, false);
    run.breakAt(k.get(0));
    assertThat(k.stream().map(run::isAbortedBefore)).containsExactly(false, true, true);
    assertThat(k.stream().map(run::isBrokenBefore)).containsExactly(false, true, true);
  }

  @Test
  void work_comesAfterTheEarlierOnesOfItsRunOnly() {
    assertThat(k.get(1).comesAfter(k.get(0))).isTrue();
    assertThat(k.get(0).comesAfter(k.get(1))).isFalse();
    assertThat(l.get(1).comesAfter(k.get(0))).isFalse();
    assertThat(alone(2).comesAfter(alone(1))).isFalse();
  }
}
