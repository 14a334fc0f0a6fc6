package dev.fencedoutbox.engine;

import static dev.fencedoutbox.engine.Hand.alone;
import static dev.fencedoutbox.engine.Hand.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.schema.Tables;
import java.time.Duration;
import java.util.List;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What a record waits for when there is an answer. */
class RecorderWaitTest {

  private static final Duration LEASE = Duration.ofMinutes(1);

  private final Holdings holdings = new Holdings(() -> {}, () -> {});
  private final Recorder recorder =
      new Recorder(
          new OwnTransactions(new PGSimpleDataSource(), new DefaultConfiguration(), LEASE),
          new NoTrade(Tables.DELIVERY.ID),
          holdings,
          new Tally(),
          System::nanoTime);
  private final List<Work> hot = run("hot", 1, 2);

  @Test
  void firstAnswerOfARun_waitsAMillisecondForTheOthers() throws InterruptedException {
    delivered(hot.get(0));

    assertThat(recorder.areAllOfRunsUnderWay()).isTrue();
    long begun = System.nanoTime();
    recorder.awaitAnswer(LEASE);
    assertThat(Duration.ofNanos(System.nanoTime() - begun))
        .isBetween(Duration.ofMillis(1), Duration.ofSeconds(30));
  }

  @Test
  void wholeRun_waitsForNothing() {
    hot.forEach(this::delivered);

    assertThat(recorder.areAllOfRunsUnderWay()).isFalse();
  }

  /** As in a batch: they are answered together, and handed over one by one. */
  @Test
  void answeredRunWhoseLastIsNotHandedOver_isWaitedFor() {
    delivered(hot.get(0));
    assertThat(hot.get(1).answer()).isTrue();

    assertThat(recorder.areAllOfRunsUnderWay()).isTrue();
  }

  @Test
  void answerOfAnotherRunOrOfNone_isNotHeldUp() {
    delivered(hot.get(0));
    delivered(alone(3));

    assertThat(recorder.areAllOfRunsUnderWay()).isFalse();
  }

  @Test
  void runWhoseRestIsHandedBack_waitsForNothing() {
    delivered(hot.get(0));
    recorder.handBackAfter(hot.get(0));

    assertThat(recorder.areAllOfRunsUnderWay()).isFalse();
  }

  @Test
  void runWhoseLastIsDropped_waitsForNothing() {
    delivered(hot.get(0));
    recorder.drop(hot.get(1));

    assertThat(recorder.areAllOfRunsUnderWay()).isFalse();
  }

  private void delivered(Work work) {
    recorder.add(work, new Verdict.Complete(null));
  }
}
