package dev.fencedoutbox.it.proofs;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.proofs.Explained.PlanCacheMode;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.ExecuteListener;
import org.jooq.Query;
import org.jooq.SQLDialect;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.Test;

/**
 * While somebody's old snapshot keeps 200,000 dead rows in the index, a relay's claims cost what
 * they cost without.
 */
class ScanFloorCostTest {

  private static final int DEAD_ROWS = 200_000;
  private static final int BATCH = 100;
  private static final long MOST_BUFFERS = 2_500;

  private final TestDatabase database = TestDatabase.create();
  private final List<Query> claims = new ArrayList<>();
  private final Configuration listening =
      new DefaultConfiguration()
          .set(SQLDialect.POSTGRES)
          .set(
              ExecuteListener.onExecuteStart(
                  context -> {
                    Query query = context.query();
                    if (query != null && String.valueOf(context.sql()).contains("claimable_rows")) {
                      claims.add(query);
                    }
                  }));

  @Test
  void claimFromTheFloor_underAPinnedXmin_doesNotWalkTheDead() throws SQLException {
    DSLContext dsl = database.dsl();
    Backlog.withoutAutovacuum(dsl);
    try (Connection reader = database.connect();
        SteppedRelay relay = relay()) {
      reader.setAutoCommit(false);
      reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      Backlog.messages(
          dsl, "generate_series(1, " + DEAD_ROWS + ") n", "clock_timestamp() - interval '1 hour'");
      reader.createStatement().execute("select count(*) from outbox.message");
      dsl.execute("delete from outbox.delivery");
      Backlog.messages(
          dsl,
          "generate_series(" + (DEAD_ROWS + 1) + ", " + (DEAD_ROWS + 1_000) + ") n",
          "clock_timestamp() - interval '1 minute'");

      assertThat(relay.claim()).isEqualTo(BATCH);
      assertThat(relay.claim()).isEqualTo(BATCH);

      assertThat(buffers(claims.get(0))).as("a sweep meets them all").isGreaterThan(MOST_BUFFERS);
      assertThat(buffers(claims.get(1))).isLessThan(MOST_BUFFERS);
      reader.rollback();
    }
  }

  private SteppedRelay relay() {
    return Relay.from(database.pool())
        .nanoClock(() -> 0L) // no sweep but the first
        .jooq(listening)
        .options(RelayOptions.defaults().withConcurrency(1_000).withClaimBatch(BATCH))
        .on(PLAIN, (payload, attempt) -> {})
        .stepByStep();
  }

  /** Of the dearer of both plans; the claim takes the rows that are next now. */
  private long buffers(Query claim) throws SQLException {
    long most = 0;
    for (PlanCacheMode mode : PlanCacheMode.values()) {
      try (Connection connection = database.connect()) {
        connection.setAutoCommit(false);
        Explained explained = Explained.of(connection, mode, claim);
        assertThat(explained.rows()).as(explained.text()).isEqualTo(BATCH);
        most = Math.max(most, explained.buffers());
        connection.rollback();
      }
    }
    return most;
  }
}
