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
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A claim of 100 walks its index and reads little, whatever the planner knows. */
class ClaimPlanTest {

  private static final int LIMIT = 100;
  private static final int MOST_BUFFERS = 2_500;
  private static final String HOUR_AGO = "clock_timestamp() - interval '1 hour'";
  private static final Backlog BACKLOG =
      new Backlog(
          dsl -> {
            Backlog.messages(dsl, "generate_series(1, 100000) n", HOUR_AGO);
            Backlog.dueJobs(dsl, 100_000);
          });
  private static final TestDatabase FINISHED_AND_FUTURE = finishedAndFuture();
  private static final TestDatabase DONE = done();
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
    Explained claim = claim(FINISHED_AND_FUTURE, mode, DELIVERIES);
    assertThat(claim.rows()).isEqualTo(LIMIT);
    assertThat(claim.buffers()).as(claim.text()).isLessThan(MOST_BUFFERS);
  }

  private static TestDatabase finishedAndFuture() {
    TestDatabase database = Backlog.empty();
    DSLContext dsl = database.dsl();
    Backlog.messages(dsl, "generate_series(1, 50000) n", "clock_timestamp() + interval '1 day'");
    dsl.execute(
        "insert into outbox.receipt (message_id, delivery_id, epoch, attempts, channel)"
            + " select n, n, 1, 1, 'default' from generate_series(1, 50000) n");
    Backlog.messages(dsl, "generate_series(50001, 50100) n", HOUR_AGO);
    return database;
  }

  /** Case 35, smaller: the shop's jobs stay in their table when they are done. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("modes")
  void claim_besideJobsOfHostThatAreDone_readsDueOnly(PlanCacheMode mode) throws SQLException {
    Explained claim = claim(DONE, mode, ShopJobs.JOBS.where(JOB.KIND.eq("render")));

    assertThat(claim.nodes()).as(claim.text()).doesNotContain("Seq Scan job");
    assertThat(claim.rows()).isEqualTo(LIMIT);
    assertThat(claim.buffers()).as(claim.text()).isLessThan(MOST_BUFFERS);
  }

  private static TestDatabase done() {
    TestDatabase database = Backlog.empty();
    Backlog.doneJobs(database.dsl(), 50_000);
    Backlog.dueJobs(database.dsl(), LIMIT);
    database.dsl().execute("analyze shop.job");
    return database;
  }

  static PlanCacheMode[] modes() {
    return PlanCacheMode.values();
  }

  /** Case 36. */
  @Test
  void claim_behindThousandLiveLeases_findsTheExpiredOne() throws SQLException {
    TestDatabase database = Backlog.empty();
    Backlog.messages(database.dsl(), "generate_series(1, 1001) n", HOUR_AGO);
    Leases leases = Leases.ownedBy("plan");
    long last =
        leases(leases.claim(database.dsl(), DELIVERIES, LONG, 1001)).stream()
            .mapToLong(lease -> lease.key())
            .max()
            .orElseThrow();
    expireDelivery(database.dsl(), last);
    Explained claim = claim(database, PlanCacheMode.FORCE_GENERIC_PLAN, DELIVERIES);
    assertThat(claim.rows()).isEqualTo(1);
    assertThat(claim.buffers()).as(claim.text()).isLessThan(MOST_BUFFERS);
    assertThat(only(leases.claim(database.dsl(), DELIVERIES, LONG, LIMIT)).key()).isEqualTo(last);
    assertThat(database.dsl().fetchCount(DELIVERY, DELIVERY.EPOCH.eq(2L))).isEqualTo(1);
  }

  /** Takes the claim back, so that the next one finds the same. */
  private static Explained claim(TestDatabase database, PlanCacheMode mode, LeaseTable<?, ?> table)
      throws SQLException {
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      Explained claim =
          Explained.of(connection, mode, LeaseStatements.claim(table, LONG, "plan", LIMIT).query());
      connection.rollback();
      return claim;
    }
  }
}
