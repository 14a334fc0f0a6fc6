package dev.fencedoutbox.it.proofs;

import static dev.fencedoutbox.it.shop.Tables.JOB;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.expireDelivery;
import static dev.fencedoutbox.it.support.Fixtures.leases;
import static dev.fencedoutbox.it.support.Fixtures.only;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.app.ShopJobs;
import dev.fencedoutbox.it.proofs.Backlog.Statistics;
import dev.fencedoutbox.it.proofs.Explained.PlanCacheMode;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.LeaseStatements;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A claim of 100 walks its index and reads little, whatever the planner knows. */
class ClaimPlanTest {

  private static final int LIMIT = 100;
  private static final int MOST_BUFFERS = 2_500;
  private static final Backlog BACKLOG = new Backlog();
  private static final LeaseTable<Long, Delivery> DELIVERIES =
      Outbox.create().deliveries(Channel.DEFAULT);

  static Stream<Arguments> knowledge() {
    return Stream.of(Statistics.values())
        .flatMap(
            statistics ->
                Stream.of(PlanCacheMode.values()).map(mode -> Arguments.of(statistics, mode)));
  }

  @ParameterizedTest(name = "statistics {0}, {1}")
  @MethodSource("knowledge")
  void claim_ofHundredAmongHundredThousandDue_walksIndex(Statistics statistics, PlanCacheMode mode)
      throws SQLException {
    Explained claim = claim(BACKLOG.database(statistics), mode, DELIVERIES);
    assertThat(claim.nodes())
        .as(claim.text())
        .contains("Index Scan delivery_due", "LockRows")
        .doesNotContain("Sort", "Incremental Sort", "Seq Scan delivery", "Seq Scan message");
    assertThat(claim.rows()).isEqualTo(LIMIT);
    assertThat(claim.buffers()).as(claim.text()).isLessThan(MOST_BUFFERS);
  }

  /**
   * With an index of the scope and the due time. Without statistics PostgreSQL takes an equality on
   * an unknown column for one row in 200 and sorts; {@code delivery}, by its partial index, is
   * safe.
   */
  @ParameterizedTest(name = "{0}")
  @MethodSource("modes")
  void claim_ofHundredAmongHundredThousandJobsOfHost_walksItsIndex(PlanCacheMode mode)
      throws SQLException {
    Explained claim =
        claim(BACKLOG.database(Statistics.FRESH), mode, ShopJobs.JOBS.where(JOB.KIND.eq("render")));
    assertThat(claim.nodes())
        .as(claim.text())
        .contains("Index Scan job_due", "LockRows")
        .doesNotContain("Sort", "Incremental Sort", "Seq Scan job");
    assertThat(claim.rows()).isEqualTo(LIMIT);
    assertThat(claim.buffers()).as(claim.text()).isLessThan(MOST_BUFFERS);
  }

  /** Case 35, smaller: what is finished and what is not due costs nothing. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("modes")
  void claim_besideFinishedAndFuture_readsDueOnly(PlanCacheMode mode) throws SQLException {
    TestDatabase database = TestDatabase.create();
    Backlog.withoutAutovacuum(database.dsl());
    Backlog.messages(
        database.dsl(), "generate_series(1, 50000) n", "clock_timestamp() + interval '1 day'");
    database
        .dsl()
        .execute(
            "insert into outbox.receipt (message_id, delivery_id, epoch, attempts, channel)"
                + " select n, n, 1, 1, 'default' from generate_series(1, 50000) n");
    Backlog.messages(
        database.dsl(), "generate_series(50001, 50100) n", "clock_timestamp() - interval '1 hour'");
    Explained claim = claim(database, mode, DELIVERIES);
    assertThat(claim.rows()).isEqualTo(LIMIT);
    assertThat(claim.buffers()).as(claim.text()).isLessThan(MOST_BUFFERS);
  }

  /** Case 35, smaller: the shop's jobs stay in their table when they are done. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("modes")
  void claim_besideJobsOfHostThatAreDone_readsDueOnly(PlanCacheMode mode) throws SQLException {
    TestDatabase database = TestDatabase.create();
    Backlog.withoutAutovacuum(database.dsl());
    Backlog.doneJobs(database.dsl(), 50_000);
    Backlog.dueJobs(database.dsl(), LIMIT);
    database.dsl().execute("analyze shop.job");

    Explained claim = claim(database, mode, ShopJobs.JOBS.where(JOB.KIND.eq("render")));

    assertThat(claim.nodes()).as(claim.text()).doesNotContain("Seq Scan job");
    assertThat(claim.rows()).isEqualTo(LIMIT);
    assertThat(claim.buffers()).as(claim.text()).isLessThan(MOST_BUFFERS);
  }

  static PlanCacheMode[] modes() {
    return PlanCacheMode.values();
  }

  /** Case 36. */
  @Test
  void claim_behindThousandLiveLeases_findsTheExpiredOne() throws SQLException {
    TestDatabase database = TestDatabase.create();
    Backlog.withoutAutovacuum(database.dsl());
    Backlog.messages(
        database.dsl(), "generate_series(1, 1001) n", "clock_timestamp() - interval '1 hour'");
    Leases leases = Leases.ownedBy("plan");
    long last =
        leases(leases.claim(database.dsl(), DELIVERIES, LONG, 1001)).stream()
            .mapToLong(lease -> lease.key())
            .max()
            .orElseThrow();
    expireDelivery(database.dsl(), last);
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      Explained claim = claim(connection, PlanCacheMode.FORCE_GENERIC_PLAN, DELIVERIES);
      assertThat(claim.rows()).isEqualTo(1);
      assertThat(claim.buffers()).as(claim.text()).isLessThan(MOST_BUFFERS);
      connection.rollback();
    }
    assertThat(only(leases.claim(database.dsl(), DELIVERIES, LONG, LIMIT)).key()).isEqualTo(last);
    assertThat(database.dsl().fetchCount(DELIVERY, DELIVERY.EPOCH.eq(2L))).isEqualTo(1);
  }

  private static Explained claim(TestDatabase database, PlanCacheMode mode, LeaseTable<?, ?> table)
      throws SQLException {
    try (Connection connection = database.connect()) {
      return claim(connection, mode, table);
    }
  }

  private static Explained claim(Connection connection, PlanCacheMode mode, LeaseTable<?, ?> table)
      throws SQLException {
    return Explained.of(
        connection, mode, LeaseStatements.claim(table, LONG, "plan", LIMIT).query());
  }
}
