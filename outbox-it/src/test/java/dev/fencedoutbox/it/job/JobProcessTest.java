package dev.fencedoutbox.it.job;

import static dev.fencedoutbox.it.job.Counts.COUNTS;
import static dev.fencedoutbox.it.job.Counts.submit;
import static dev.fencedoutbox.it.job.Counts.takenOver;
import static dev.fencedoutbox.it.job.Counts.view;
import static dev.fencedoutbox.it.shop.Tables.EFFECT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.app.ShopJobs;
import dev.fencedoutbox.it.support.ApiCall;
import dev.fencedoutbox.it.support.ChildJvm;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.schema.enums.JobStatus;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Article 002 with real processes: one is killed in the middle of a job, one is frozen. */
class JobProcessTest {
  static final TestDatabase DB = TestDatabase.create();

  private final DSLContext dsl = DB.dsl();
  private long id;

  @BeforeEach
  void oneJob() {
    DB.clear();
    id = submit(dsl, "k");
  }

  @Test
  void secondWorker_afterTheFirstWasKilled_goesOnFromItsLastCheckpoint() {
    try (ChildJvm first = ChildJvm.start(JobChild.class, DB.url())) {
      assertThat(first.await("FROM ")).isEqualTo("0");
      assertThat(steps(first, 1, 4)).containsOnly("ACCEPTED");
      assertThat(first.kill()).isEqualTo(ChildJvm.KILLED);
    }
    assertThat(view(dsl, id).status()).isEqualTo(JobStatus.INPROGRESS);
    Counts.expire(dsl, id);

    try (ChildJvm second = ChildJvm.start(JobChild.class, DB.url())) {
      assertThat(second.await("FROM ")).isEqualTo("4");
      assertThat(steps(second, 5, 10)).containsOnly("ACCEPTED");
      assertThat(second.await("FINISHED ")).isEqualTo("APPLIED");
      assertThat(second.exitStatus()).isZero();
    }
    assertThat(view(dsl, id).result()).hasValue(10);
    assertThat(view(dsl, id).epoch()).isEqualTo(2);
    assertThat(dsl.fetchSingle(EFFECT).getValue()).isEqualTo("child");
  }

  private static List<String> steps(ChildJvm child, int from, int to) {
    return IntStream.rangeClosed(from, to)
        .mapToObj(
            step -> {
              child.say("on");
              return child.await("STEP " + step + " ");
            })
        .toList();
  }

  @Test
  void frozenWorker_thatThawsAfterItsLease_isRefusedEverywhere() throws IOException {
    try (ChildJvm frozen = ChildJvm.start(JobChild.class, DB.url())) {
      assertThat(frozen.await("FROM ")).isEqualTo("0");
      String pid = frozen.await("PID ");
      assertThat(steps(frozen, 1, 2)).containsOnly("ACCEPTED");
      frozen.freeze();
      await("the process standing still").until(() -> state(pid).startsWith("T"));
      frozen.say(JobChild.ALL_AT_ONCE);
      Lease<Long> ofB = takenOver(dsl, id);
      assertThat(COUNTS.checkpoint(dsl, ofB, 5)).isEqualTo(LeaseOutcome.ACCEPTED);
      List<String> before = ApiCall.rows(dsl);

      frozen.thaw();
      List<String> tried =
          Stream.generate(() -> frozen.await("TRIED "))
              .takeWhile(line -> !line.equals("all"))
              .toList();

      assertThat(tried)
          .isEqualTo(
              Stream.of(Write.values()).map(w -> w + " " + w.refusal("SUPERSEDED")).toList());
      assertThat(ApiCall.rows(dsl)).isEqualTo(before);
      assertThat(COUNTS.finish(dsl, ofB, 10, ShopJobs.storing("B")))
          .isEqualTo(EffectOutcome.APPLIED);
      assertThat(dsl.fetchSingle(EFFECT).getValue()).isEqualTo("B");
    }
  }

  private static String state(String pid) throws IOException {
    Process ps = new ProcessBuilder("ps", "-o", "state=", "-p", pid).start();
    return new String(ps.getInputStream().readAllBytes(), UTF_8).strip();
  }
}
