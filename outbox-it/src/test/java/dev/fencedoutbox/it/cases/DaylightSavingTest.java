package dev.fencedoutbox.it.cases;

import static dev.fencedoutbox.it.app.ShopJobs.JOBS;
import static dev.fencedoutbox.it.shop.Tables.JOB;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.leases;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.it.support.Fixtures.only;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.LeaseStatements;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.RenewOutcome;
import dev.fencedoutbox.lease.Retry;
import dev.fencedoutbox.outbox.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where a day may have 23 or 25 hours, a lease still has the length that was asked for. PostgreSQL
 * adds a day by the session's calendar and an hour by the clock.
 */
class DaylightSavingTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final Leases WORKER = Leases.ownedBy("worker");

  /** At noon; the night after it has 23 hours in Berlin. */
  private static final String SPRING = "2026-03-28T12:00:00+01:00";

  /** At noon; the night after it has 25. */
  private static final String AUTUMN = "2026-10-24T12:00:00+02:00";

  private final DSLContext dsl = DB.dsl();
  private final Connection berlin;

  DaylightSavingTest() throws SQLException {
    berlin = DB.connect();
  }

  @BeforeEach
  void inBerlin() {
    DB.clear();
    TestDatabase.on(berlin).execute("set time zone 'Europe/Berlin'");
  }

  @AfterEach
  void close() throws SQLException {
    berlin.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {SPRING, AUTUMN})
  void claim_beforeAChangeOfTheClocks_isExact(String noon) throws SQLException {
    long id = Fixtures.job(dsl, "job");
    Duration lease = Duration.ofHours(49);

    executeAt(noon, LeaseStatements.claim(JOBS, ClaimTerms.leaseFor(lease), "w", 1).query());

    assertThat(leaseUntil(id)).isEqualTo(OffsetDateTime.parse(noon).plus(lease).toInstant());
  }

  @ParameterizedTest
  @ValueSource(strings = {SPRING, AUTUMN})
  void renew_beforeAChangeOfTheClocks_isExact(String noon) throws SQLException {
    List<Lease<Long>> held = heldTillTheEnd(2);
    dsl.execute("update shop.job set lease_until = ?::timestamptz + interval '1 minute'", noon);
    Duration lease = Duration.ofDays(1);

    executeAt(noon, LeaseStatements.renew(held, lease));

    for (Lease<Long> one : held) {
      assertThat(leaseUntil(one.key()))
          .isEqualTo(OffsetDateTime.parse(noon).plus(lease).toInstant());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SPRING, AUTUMN})
  void retry_beforeAChangeOfTheClocks_isExact(String noon) throws SQLException {
    List<Lease<Long>> held = heldTillTheEnd(3);
    Duration after = Duration.ofDays(1).plusMillis(1_500);

    executeAt(noon, LeaseStatements.retry(List.of(new Retry<>(held.get(0), after, "one"))));
    executeAt(
        noon,
        LeaseStatements.retry(
            List.of(
                new Retry<>(held.get(1), after, "two"), new Retry<>(held.get(2), after, "three"))));

    for (Lease<Long> one : held) {
      assertThat(job(one.key(), JOB.RUN_AFTER).toInstant())
          .isEqualTo(OffsetDateTime.parse(noon).plus(after).toInstant());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SPRING, AUTUMN})
  void enqueueAfterADay_beforeAChangeOfTheClocks_isExact(String noon) throws SQLException {
    Duration after = Duration.ofDays(2);

    executeAt(noon, "statement_timestamp()", Outbox.statement(List.of(message("e").after(after))));

    assertThat(dsl.fetchSingle(DELIVERY).getNextAttemptAt().toInstant())
        .isEqualTo(OffsetDateTime.parse(noon).plus(after).toInstant());
  }

  /** By the real clock; from any day of the year, one of them lies behind a change. */
  @ParameterizedTest
  @ValueSource(ints = {1, 180, 240})
  void retry_afterDays_isThatManySecondsAway(int days) {
    Fixtures.job(dsl, "job");
    DSLContext host = TestDatabase.on(berlin);
    Lease<Long> lease = only(WORKER.claim(host, JOBS, LONG, 1));

    assertThat(WORKER.retry(host, lease, Duration.ofDays(days), "later"))
        .isEqualTo(LeaseOutcome.ACCEPTED);

    assertThat(secondsTo(host, "run_after")).isCloseTo(86_400.0 * days, within(60.0));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 30})
  void renew_ofDays_isThatManySecondsLong(int days) {
    Fixtures.job(dsl, "job");
    DSLContext host = TestDatabase.on(berlin);
    Lease<Long> lease = only(WORKER.claim(host, JOBS, LONG, 1));

    assertThat(WORKER.renew(host, lease, Duration.ofDays(days)))
        .isInstanceOf(RenewOutcome.Renewed.class);

    assertThat(secondsTo(host, "lease_until")).isCloseTo(86_400.0 * days, within(60.0));
  }

  private static double secondsTo(DSLContext host, String column) {
    return host.fetchSingle(
            "select extract(epoch from " + column + " - clock_timestamp()) from shop.job")
        .get(0, Double.class);
  }

  /** Runs the statement's text in Berlin as if the database's clock said that. */
  private void executeAt(String moment, Query query) throws SQLException {
    executeAt(moment, "clock_timestamp()", query);
  }

  private void executeAt(String moment, String clock, Query query) throws SQLException {
    String sql = DSL.using(SQLDialect.POSTGRES).renderInlined(query);
    assertThat(sql).contains(clock);
    try (Statement statement = berlin.createStatement()) {
      assertThat(statement.execute(sql.replace(clock, "timestamptz '" + moment + "'"))).isTrue();
    }
  }

  /** Leases that hold at whatever moment a test takes. */
  private List<Lease<Long>> heldTillTheEnd(int count) {
    for (int i = 0; i < count; i++) {
      Fixtures.job(dsl, "job" + i);
    }
    List<Lease<Long>> held = leases(WORKER.claim(dsl, JOBS, LONG, count));
    dsl.execute("update shop.job set lease_until = '2100-01-01Z'");
    return held;
  }

  private Instant leaseUntil(long id) {
    return job(id, JOB.LEASE_UNTIL).toInstant();
  }

  private OffsetDateTime job(long id, Field<OffsetDateTime> column) {
    return dsl.select(column).from(JOB).where(JOB.ID.eq(id)).fetchSingle().value1();
  }
}
