package dev.fencedoutbox.it.labs;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.it.support.Fixtures.only;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.ChildJvm;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Together;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.schema.tables.records.DeliveryRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Article 001: two pods never own one row, and the slower one cannot clobber the other's. */
class TwoPodsTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final LeaseTable<Long, Delivery> DELIVERIES =
      Outbox.create().deliveries(Channel.DEFAULT);

  private final DSLContext dsl = DB.dsl();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @Test
  void claim_byManyThreads_handsOutEveryRowExactlyOnce()
      throws InterruptedException, ExecutionException {
    Set<Long> enqueued = enqueue(600);

    List<List<Lease<Long>>> perPod =
        Together.runNumbered(6, number -> drain(Leases.ownedBy("pod-" + number)));

    List<Lease<Long>> all = perPod.stream().flatMap(List::stream).toList();
    assertThat(all).extracting(Lease::key).doesNotHaveDuplicates().hasSameElementsAs(enqueued);
    assertThat(all).allSatisfy(lease -> assertThat(lease.epoch().value()).isOne());
    assertEachIsClaimedOnce(600);
  }

  @Test
  void claimAndComplete_byManyThreads_leavesOneReceiptForEachRow()
      throws InterruptedException, ExecutionException {
    Set<Long> enqueued = enqueue(600);

    List<List<LeaseOutcome>> outcomes =
        Together.runNumbered(6, number -> drainCompleting(Leases.ownedBy("pod-" + number)));

    assertThat(outcomes.stream().flatMap(List::stream))
        .hasSize(600)
        .containsOnly(LeaseOutcome.ACCEPTED);
    assertThat(dsl.fetchCount(DELIVERY)).isZero();
    assertThat(dsl.select(RECEIPT.DELIVERY_ID).from(RECEIPT).fetch(RECEIPT.DELIVERY_ID))
        .doesNotHaveDuplicates()
        .hasSameElementsAs(enqueued);
  }

  @Test
  void claim_byTwoProcesses_handsOutEveryRowExactlyOnce() {
    Set<Long> enqueued = enqueue(400);
    try (ChildJvm one = ChildJvm.start(PodChild.class, "one", DB.url());
        ChildJvm other = ChildJvm.start(PodChild.class, "other", DB.url())) {
      List<ChildJvm> pods = List.of(one, other);
      pods.forEach(pod -> pod.await("READY"));
      pods.forEach(pod -> pod.say("claim one batch"));
      // Both have claimed before either goes on, so neither finds everything taken
      List<List<Long>> first = pods.stream().map(TwoPodsTest::batch).toList();
      assertThat(first).allSatisfy(batch -> assertThat(batch).isNotEmpty());
      pods.forEach(pod -> pod.say("claim until nothing is left"));

      List<Long> handedOut = new ArrayList<>(first.stream().flatMap(List::stream).toList());
      pods.forEach(pod -> batches(pod).forEach(handedOut::addAll));

      assertThat(handedOut).doesNotHaveDuplicates().hasSameElementsAs(enqueued);
      assertEachIsClaimedOnce(400);
    }
  }

  @Test
  void complete_ofASupersededLease_matchesNothing_andTheNewOwnersStateStays() {
    long id = enqueue(1).iterator().next();
    Lease<Long> zombie = only(Leases.ownedBy("zombie").claim(dsl, DELIVERIES, LONG, 1));
    Fixtures.expireDelivery(dsl, id);
    Leases newOwner = Leases.ownedBy("new owner");
    Lease<Long> current = only(newOwner.claim(dsl, DELIVERIES, LONG, 1));
    DeliveryRecord before = delivery(id);
    assertThat(before.getLeaseOwner()).isEqualTo("new owner");

    assertThat(Leases.ownedBy("zombie").complete(dsl, zombie)).isEqualTo(LeaseOutcome.SUPERSEDED);
    assertThat(Leases.ownedBy("zombie").retry(dsl, zombie, Duration.ZERO, "late"))
        .isEqualTo(LeaseOutcome.SUPERSEDED);

    assertThat(delivery(id)).isEqualTo(before);
    assertThat(dsl.fetchCount(RECEIPT)).isZero();
    assertThat(newOwner.complete(dsl, current)).isEqualTo(LeaseOutcome.ACCEPTED);
    assertThat(dsl.fetchSingle(RECEIPT).getEpoch()).isEqualTo(2);
  }

  private Set<Long> enqueue(int count) {
    Fixtures.enqueue(
        dsl,
        IntStream.range(0, count).mapToObj(i -> message("event-" + i)).toArray(Message[]::new));
    return dsl.select(DELIVERY.ID).from(DELIVERY).fetchSet(DELIVERY.ID);
  }

  private List<Lease<Long>> drain(Leases leases) {
    List<Lease<Long>> all = new ArrayList<>();
    List<Lease<Long>> batch;
    do {
      batch = Fixtures.leases(leases.claim(dsl, DELIVERIES, LONG, 7));
      all.addAll(batch);
    } while (!batch.isEmpty());
    return all;
  }

  private List<LeaseOutcome> drainCompleting(Leases leases) {
    List<LeaseOutcome> outcomes = new ArrayList<>();
    List<Lease<Long>> batch;
    do {
      batch = Fixtures.leases(leases.claim(dsl, DELIVERIES, LONG, 7));
      outcomes.addAll(leases.completeAll(dsl, batch));
    } while (!batch.isEmpty());
    return outcomes;
  }

  private void assertEachIsClaimedOnce(int count) {
    assertThat(dsl.fetchCount(DELIVERY, DELIVERY.EPOCH.eq(1L).and(DELIVERY.ATTEMPTS.eq(1))))
        .isEqualTo(count);
  }

  private DeliveryRecord delivery(long id) {
    return dsl.fetchSingle(DELIVERY, DELIVERY.ID.eq(id));
  }

  private static List<Long> batch(ChildJvm pod) {
    return Stream.of(pod.await("BATCH ").split(" "))
        .filter(key -> !key.isEmpty())
        .map(Long::valueOf)
        .toList();
  }

  /** What it claims until it finds nothing. */
  private static List<List<Long>> batches(ChildJvm pod) {
    return Stream.generate(() -> batch(pod)).takeWhile(batch -> !batch.isEmpty()).toList();
  }
}
