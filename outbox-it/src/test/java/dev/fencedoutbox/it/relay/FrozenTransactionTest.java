package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayBuilder;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jooq.Configuration;
import org.jooq.ExecuteListener;
import org.jooq.SQLDialect;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.Test;

/**
 * A relay that stands still between a statement and its commit, with the row locks in its hands.
 */
class FrozenTransactionTest {

  private static final TestDatabase DB = TestDatabase.create();

  private final CountDownLatch frozen = new CountDownLatch(1);
  private final CountDownLatch thawed = new CountDownLatch(1);
  private final Configuration freezing =
      new DefaultConfiguration()
          .set(SQLDialect.POSTGRES)
          .set(
              ExecuteListener.onExecuteEnd(
                  context -> {
                    if (String.valueOf(context.sql()).contains("claimable_rows")) {
                      frozen.countDown();
                      awaitThaw();
                    }
                  }));

  private void awaitThaw() {
    try {
      thawed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void relayFrozenInATransaction_losesItsLocksAfterALease_andClaimsNothing() throws Exception {
    enqueue(DB.dsl(), message("one"));
    try (SteppedRelay late = relay().jooq(freezing).stepByStep();
        SteppedRelay other = relay().stepByStep()) {
      CompletableFuture<Integer> claim = CompletableFuture.supplyAsync(late::claim);
      frozen.await();
      assertThat(other.claim()).as("its row is locked").isZero();

      await().until(() -> other.claim() == 1);
      thawed.countDown();

      assertThatThrownBy(claim::get).hasRootCauseInstanceOf(java.sql.SQLException.class);
      assertThat(late.counters().claimed()).isZero();
      assertThat(DB.dsl().fetchValues(DELIVERY.EPOCH)).containsExactly(1L);
    }
  }

  private static RelayBuilder relay() {
    return Relay.from(DB.pool())
        .options(RelayOptions.defaults().withLeaseFor(Duration.ofSeconds(1)))
        .on(PLAIN, (payload, attempt) -> {});
  }
}
