package dev.fencedoutbox.it.proofs;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.leases;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.proofs.Explained.PlanCacheMode;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.LeaseStatements;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.RenewOutcome;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.ResultQuery;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the writes about a delivery cost in pages, in log, and in index entries. */
class WriteCostTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final String OWNER = "a-worker-of-some-host-17";
  private static final Leases LEASES = Leases.ownedBy(OWNER);
  private static final LeaseTable<Long, Delivery> DELIVERIES =
      Outbox.create().deliveries(Channel.DEFAULT);
  private static final int BATCH = 100;
  private static final int MESSAGES = 2_000;

  @BeforeEach
  void fill() {
    DB.clear();
    Backlog.withoutAutovacuum(DB.dsl());
    DB.dsl().execute("checkpoint"); // so that no page is logged whole for a checkpoint later on
    Backlog.messages(
        DB.dsl(),
        "generate_series(1, " + MESSAGES + ") n",
        "clock_timestamp() - interval '1 hour'");
    DB.dsl().execute("analyze");
  }

  /** 434 bytes when measured. */
  @Test
  void claimAndComplete_ofSmallMessages_logUnder700BytesEach() throws SQLException {
    try (Connection connection = DB.connect()) {
      DSLContext dsl = TestDatabase.on(connection);
      for (int i = 0; i < 5; i++) {
        assertThat(LEASES.completeAll(dsl, claimed(dsl))).containsOnly(LeaseOutcome.ACCEPTED);
      }
      Explained claim =
          explained(connection, LeaseStatements.claim(DELIVERIES, LONG, OWNER, BATCH).query());
      Explained complete = explained(connection, LeaseStatements.complete(claimed(dsl)));
      assertThat(claim.rows()).isEqualTo(BATCH);
      assertThat(complete.rows()).isEqualTo(BATCH);
      assertThat((claim.walBytes() + complete.walBytes()) / BATCH).isLessThanOrEqualTo(700);
    }
  }

  @Test
  void complete_ofHundred_readsItsRowsAlone() throws SQLException {
    try (Connection connection = DB.connect()) {
      Explained complete =
          explained(connection, LeaseStatements.complete(claimed(TestDatabase.on(connection))));
      assertThat(complete.rows()).isEqualTo(BATCH);
      assertThat(complete.nodes()).as(complete.text()).doesNotContain("Seq Scan delivery");
      // 803 when measured, deletion and receipts with their two index entries included
      assertThat(complete.buffers()).as(complete.text()).isLessThan(1_050);
    }
  }

  @Test
  void firstClaimRenewalAndRelease_touchNoIndex() throws SQLException {
    try (Connection connection = DB.connect()) {
      DSLContext dsl = TestDatabase.on(connection);
      Updates before = Updates.of(dsl, 0);
      List<Lease<Long>> leases = new ArrayList<>();
      for (int i = 0; i < MESSAGES / BATCH; i++) {
        leases.addAll(claimed(dsl));
      }
      Updates claims = Updates.of(dsl, before.all() + MESSAGES);
      assertThat(claims.hot() - before.hot()).as("claims").isEqualTo(MESSAGES);

      assertThat(LEASES.renewAll(dsl, leases, Duration.ofMinutes(20)))
          .allMatch(RenewOutcome.Renewed.class::isInstance);
      Updates renewals = Updates.of(dsl, claims.all() + MESSAGES);
      assertThat(renewals.hot() - claims.hot()).as("renewals").isEqualTo(MESSAGES);

      assertThat(LEASES.releaseAll(dsl, leases)).containsOnly(LeaseOutcome.ACCEPTED);
      Updates releases = Updates.of(dsl, renewals.all() + MESSAGES);
      assertThat(releases.hot() - renewals.hot()).as("releases").isEqualTo(MESSAGES);
    }
  }

  /** The updates of deliveries so far, and how many of them touched no index. */
  private record Updates(long all, long hot) {

    static Updates of(DSLContext dsl, long atLeast) {
      return await().pollInSameThread().until(() -> read(dsl), updates -> updates.all() >= atLeast);
    }

    private static Updates read(DSLContext dsl) {
      Backlog.flushCounters(dsl);
      var row =
          dsl.fetchSingle(
              "select n_tup_upd, n_tup_hot_upd from pg_stat_user_tables"
                  + " where schemaname = 'outbox' and relname = 'delivery'");
      return new Updates(row.get(0, Long.class), row.get(1, Long.class));
    }
  }

  private static List<Lease<Long>> claimed(DSLContext dsl) {
    return leases(LEASES.claim(dsl, DELIVERIES, LONG, BATCH));
  }

  private static Explained explained(Connection connection, ResultQuery<?> query)
      throws SQLException {
    return Explained.of(connection, PlanCacheMode.FORCE_GENERIC_PLAN, query);
  }
}
