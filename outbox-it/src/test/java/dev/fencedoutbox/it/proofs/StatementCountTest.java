package dev.fencedoutbox.it.proofs;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.leases;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.app.ShopJobs;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.RenewOutcome;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.ExecuteListener;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every call is one statement, and a refusal costs one more. */
class StatementCountTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Outbox OUTBOX = Outbox.create();
  private static final Leases LEASES = Leases.ownedBy("counted");
  private static final LeaseTable<Long, Delivery> DELIVERIES = OUTBOX.deliveries(Channel.DEFAULT);

  private final AtomicInteger statements = new AtomicInteger();
  private final DSLContext dsl =
      DB.dsl()
          .configuration()
          .deriveAppending(ExecuteListener.onExecuteStart(c -> statements.incrementAndGet()))
          .dsl();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @Test
  void enqueue_isOneStatement() {
    assertThat(enqueueAll(List.of(message("one")))).containsOnly(EnqueueOutcome.CREATED);
    assertThat(statements).hasValue(1);
  }

  @Test
  void enqueueAll_ofThousand_isOneStatement() {
    assertThat(enqueueAll(messages(1_000))).hasSize(1_000).containsOnly(EnqueueOutcome.CREATED);
    assertThat(statements).hasValue(1);
  }

  @Test
  void claim_isOneStatement() {
    assertThat(claimed(100)).hasSize(100);
    assertThat(statements).hasValue(1);
  }

  @Test
  void completeAll_ofHundred_isOneStatement_andRefusalsCostOneMore() {
    List<Lease<Long>> leases = claimed(100);
    statements.set(0);
    assertThat(LEASES.completeAll(dsl, leases)).containsOnly(LeaseOutcome.ACCEPTED);
    assertThat(statements).hasValue(1);
    assertThat(LEASES.completeAll(dsl, leases)).containsOnly(LeaseOutcome.GONE);
    assertThat(statements).hasValue(3);
  }

  @Test
  void renewAllAndReleaseAll_ofHundred_areOneStatementEach() {
    List<Lease<Long>> leases = claimed(100);
    statements.set(0);
    assertThat(LEASES.renewAll(dsl, leases, Duration.ofMinutes(1)))
        .allMatch(RenewOutcome.Renewed.class::isInstance);
    assertThat(LEASES.releaseAll(dsl, leases)).containsOnly(LeaseOutcome.ACCEPTED);
    assertThat(statements).hasValue(2);
  }

  @Test
  void finish_isOneStatement() {
    Fixtures.job(DB.dsl(), "in");
    Lease<Long> lease = Fixtures.only(LEASES.claim(DB.dsl(), ShopJobs.JOBS, LONG, 1));
    var outcome = LEASES.finish(dsl, lease, ShopJobs.storing("out"));
    assertThat(outcome).isEqualTo(EffectOutcome.APPLIED);
    assertThat(statements).hasValue(1);
  }

  private List<Lease<Long>> claimed(int count) {
    Fixtures.enqueue(DB.dsl(), messages(count).toArray(Message[]::new));
    return leases(LEASES.claim(dsl, DELIVERIES, LONG, count));
  }

  private List<EnqueueOutcome> enqueueAll(List<Message> messages) {
    return dsl.transactionResult(tx -> OUTBOX.enqueueAll(tx.dsl(), messages));
  }

  private static List<Message> messages(int count) {
    return IntStream.range(0, count).mapToObj(i -> message("m" + i)).toList();
  }
}
