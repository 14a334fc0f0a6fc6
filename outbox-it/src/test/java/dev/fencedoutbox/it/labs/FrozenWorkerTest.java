package dev.fencedoutbox.it.labs;

import static dev.fencedoutbox.it.app.ShopJobs.JOBS;
import static dev.fencedoutbox.it.app.ShopJobs.storing;
import static dev.fencedoutbox.it.shop.Tables.EFFECT;
import static dev.fencedoutbox.it.shop.Tables.JOB;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.it.support.Fixtures.only;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.ChildJvm;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Outbox;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process that is frozen past its lease and thawed is refused everywhere. */
class FrozenWorkerTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final Leases B = Leases.ownedBy("B");

  private final DSLContext dsl = DB.dsl();
  private long delivery;
  private long job;

  @BeforeEach
  void oneOfEach() {
    DB.clear();
    enqueue(dsl, message("event-001"));
    delivery = dsl.fetchSingle(DELIVERY).getId();
    job = Fixtures.job(dsl, "render");
  }

  @Test
  void thawedWorker_whoseRowsWereClaimedSince_isSupersededEverywhere() throws IOException {
    try (ChildJvm frozen = frozenPastItsLeases()) {
      Lease<Long> deliveryOfB =
          only(B.claim(dsl, Outbox.create().deliveries(Channel.DEFAULT), LONG, 1));
      Lease<Long> jobOfB = only(B.claim(dsl, JOBS, LONG, 1));
      List<Record> before = rows();

      assertThat(thaw(frozen)).isEqualTo(everyWriteRefused("SUPERSEDED"));

      assertThat(rows()).isEqualTo(before);
      assertNothingElseWasWritten();
      assertThat(B.complete(dsl, deliveryOfB)).isEqualTo(LeaseOutcome.ACCEPTED);
      assertThat(B.finish(dsl, jobOfB, storing("B"))).isEqualTo(EffectOutcome.APPLIED);
      assertThat(dsl.fetchSingle(EFFECT).getValue()).isEqualTo("B");
    }
  }

  @Test
  void thawedWorker_whoseRowsNobodyClaimed_hasExpiredEverywhere() throws IOException {
    try (ChildJvm frozen = frozenPastItsLeases()) {
      List<Record> before = rows();

      assertThat(thaw(frozen)).isEqualTo(everyWriteRefused("EXPIRED"));

      assertThat(rows()).isEqualTo(before);
      assertNothingElseWasWritten();
      assertThat(only(B.claim(dsl, JOBS, LONG, 1)).epoch().value()).isEqualTo(2);
    }
  }

  /** It is told to go on while it stands still, so it does so at once when it thaws. */
  private ChildJvm frozenPastItsLeases() throws IOException {
    ChildJvm child = ChildJvm.start(FrozenChild.class, DB.url());
    assertThat(child.await("CLAIMED ")).isEqualTo(delivery + " " + job);
    String pid = child.await("PID ");
    child.freeze();
    await("the process standing still").until(() -> state(pid).startsWith("T"));
    child.say("go on");
    Fixtures.expireDelivery(dsl, delivery);
    Fixtures.expireJob(dsl, job);
    return child;
  }

  private static String state(String pid) throws IOException {
    Process ps = new ProcessBuilder("ps", "-o", "state=", "-p", pid).start();
    return new String(ps.getInputStream().readAllBytes(), UTF_8).strip();
  }

  /** What it says of each write. */
  private static List<String> thaw(ChildJvm frozen) {
    frozen.thaw();
    return Stream.generate(() -> frozen.await("WROTE "))
        .takeWhile(line -> !line.equals("nothing else"))
        .toList();
  }

  private static List<String> everyWriteRefused(String reason) {
    return Stream.of("delivery", "job")
        .flatMap(
            what ->
                Stream.of(Write.values())
                    .map(write -> what + " " + write + " " + write.refusal(reason)))
        .toList();
  }

  private List<Record> rows() {
    return List.of(dsl.fetchSingle(DELIVERY), dsl.fetchSingle(JOB));
  }

  private void assertNothingElseWasWritten() {
    assertThat(dsl.fetchCount(RECEIPT)).isZero();
    assertThat(dsl.fetchCount(EFFECT)).isZero();
  }
}
