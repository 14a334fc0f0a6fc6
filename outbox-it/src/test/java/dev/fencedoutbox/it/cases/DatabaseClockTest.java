package dev.fencedoutbox.it.cases;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.ApiCall;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.Leased;
import dev.fencedoutbox.it.support.Statements;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.KeyWalk;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.RenewOutcome;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Outbox;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.temporal.Temporal;
import java.util.Date;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.ExecuteListener;
import org.jooq.impl.SQLDataType;
import org.jooq.types.DayToSecond;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class DatabaseClockTest {
  static final TestDatabase DB = TestDatabase.create();

  /** The bounds of a replay. */
  private static final Set<Object> GIVEN_BY_THE_CALLER =
      Set.of(OffsetDateTime.parse("2000-01-01T00:00Z"), OffsetDateTime.parse("9000-01-01T00:00Z"));

  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

  @BeforeEach
  void clear() {
    DB.clear();
  }

  static Stream<ApiCall> everyCall() {
    return Stream.concat(ApiCall.all().stream(), ApiCall.refused().stream());
  }

  // Case 5: a wrong clock of the JVM cannot matter, since no statement carries its time
  @ParameterizedTest
  @MethodSource("everyCall")
  void statement_ofEveryCall_carriesNoTimeOfTheJvm(ApiCall call) {
    Consumer<DSLContext> prepared = call.preparation().prepare(DB.dsl());
    Statements statements = new Statements();

    DB.dsl().transaction(tx -> prepared.accept(statements.listeningOn(tx.dsl())));

    assertThat(statements.executed())
        .isNotEmpty()
        .allSatisfy(
            sql ->
                assertThat(sql.replace("timestamp with time zone '9999-12-31 00:00:00+00:00'", ""))
                    .doesNotContain("timestamp with time zone '")
                    .doesNotContainPattern("(?i)\\b(now\\(\\)|current_|localtime|transaction_t)"));
    assertThat(statements.binds())
        .filteredOn(bind -> !GIVEN_BY_THE_CALLER.contains(bind))
        .noneMatch(bind -> bind instanceof Temporal || bind instanceof Date)
        .allSatisfy(
            bind ->
                assertThat(bind)
                    .isInstanceOfAny(
                        String.class,
                        Long.class,
                        Integer.class,
                        org.jooq.JSONB.class,
                        org.jooq.EnumType.class,
                        DayToSecond.class));
  }

  // Case 5
  @ParameterizedTest
  @EnumSource
  void deadline_ofAClaimAndARenewal_isTheDatabaseClockPlusTheLease(Leased kind) {
    long id = kind.addOne(DB.dsl(), "row");
    Leases leases = Leases.ownedBy("owner").withNanoClock(() -> Long.MIN_VALUE);

    OffsetDateTime beforeClaim = clock(DB.dsl());
    Lease<Long> claimed = only(leases.claimByKey(DB.dsl(), kind.table(), LONG, id));
    OffsetDateTime afterClaim = clock(DB.dsl());
    Lease<Long> renewed = renewed(leases.renew(DB.dsl(), claimed, Duration.ofHours(3)));

    assertThat(claimed.leaseUntil())
        .isBetween(beforeClaim.plus(LONG.leaseFor()), afterClaim.plus(LONG.leaseFor()));
    assertThat(renewed.leaseUntil())
        .isBetween(afterClaim.plusHours(3), clock(DB.dsl()).plusHours(3));
    assertThat(renewed.epoch()).isEqualTo(claimed.epoch());
  }

  // Case 5
  @ParameterizedTest
  @EnumSource
  void trustLeft_countsFromBeforeTheCallByTheMonotonicClockAlone(Leased kind) {
    AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    Leases leases = Leases.ownedBy("owner").withNanoClock(nanos::get);
    long id = kind.addOne(DB.dsl(), "row");

    Lease<Long> lease = only(leases.claimByKey(DB.dsl(), kind.table(), LONG, id));
    long sent = nanos.get();

    assertThat(lease.trustLeft(sent)).isEqualTo(TEN_MINUTES);
    assertThat(lease.trustLeft(sent + 1_000_000)).isEqualTo(TEN_MINUTES.minusMillis(1));
    assertThat(lease.trustLeft(sent + TEN_MINUTES.plusSeconds(1).toNanos()))
        .isEqualTo(Duration.ofSeconds(-1));

    nanos.addAndGet(1_000_000_000);
    Lease<Long> renewed = renewed(leases.renew(DB.dsl(), lease, Duration.ofMinutes(1)));
    assertThat(renewed.trustLeft(nanos.get())).isEqualTo(Duration.ofMinutes(1));
    assertThat(lease.trustLeft(nanos.get())).isEqualTo(TEN_MINUTES.minusSeconds(1));
  }

  // Case 5: the reading is taken before the statement is sent, so a slow answer stretches nothing
  @ParameterizedTest
  @EnumSource
  void trustLeft_afterASlowAnswer_isShorterByTheWait(Leased kind) {
    AtomicLong nanos = new AtomicLong();
    DSLContext slow = answeringAfter(Duration.ofSeconds(3), nanos);
    Leases leases = Leases.ownedBy("owner").withNanoClock(nanos::get);
    long id = kind.addOne(DB.dsl(), "row");

    Lease<Long> lease = only(leases.claimByKey(slow, kind.table(), LONG, id));
    assertThat(lease.trustLeft(nanos.get())).isEqualTo(TEN_MINUTES.minusSeconds(3));

    Lease<Long> renewed = renewed(leases.renew(slow, lease, Duration.ofMinutes(1)));
    assertThat(renewed.trustLeft(nanos.get())).isEqualTo(Duration.ofSeconds(57));
  }

  // Case 5
  @Test
  void trustLeft_afterASlowAnswerToAnOrderedClaim_isShorterByTheWait() {
    AtomicLong nanos = new AtomicLong();
    DSLContext slow = answeringAfter(Duration.ofSeconds(3), nanos);
    Fixtures.enqueue(DB.dsl(), Fixtures.message("row").orderingKey("k"));

    Lease<Long> lease =
        only(
            Leases.ownedBy("owner")
                .withNanoClock(nanos::get)
                .claimInOrder(
                    slow, Outbox.create().orderedDeliveries(Channel.DEFAULT), LONG, KeyWalk.of(1))
                .claims());

    assertThat(lease.trustLeft(nanos.get())).isEqualTo(TEN_MINUTES.minusSeconds(3));
  }

  /** A host whose every statement takes that long by the JVM's monotonic clock. */
  private static DSLContext answeringAfter(Duration wait, AtomicLong nanos) {
    return DB.dsl()
        .configuration()
        .deriveAppending(ExecuteListener.onExecuteEnd(context -> nanos.addAndGet(wait.toNanos())))
        .dsl();
  }

  // Case 14
  @ParameterizedTest
  @EnumSource
  void claimAndRenew_inATransactionOpenForLongerThanTheLease_countFromTheirOwnTime(Leased kind) {
    ClaimTerms terms = ClaimTerms.leaseFor(Duration.ofSeconds(1));
    long id = kind.addOne(DB.dsl(), "row");
    Leases leases = Leases.ownedBy("owner");

    DB.dsl()
        .transaction(
            tx -> {
              OffsetDateTime opened = clock(tx.dsl());
              tx.dsl().execute("select pg_sleep(1.05)");
              OffsetDateTime beforeClaim = clock(tx.dsl());
              Lease<Long> lease = only(leases.claimByKey(tx.dsl(), kind.table(), terms, id));
              assertThat(lease.leaseUntil()).isAfterOrEqualTo(beforeClaim.plus(terms.leaseFor()));
              assertThat(beforeClaim).isAfter(opened.plus(terms.leaseFor()));

              OffsetDateTime beforeRenewal = clock(tx.dsl());
              Lease<Long> renewed = renewed(leases.renew(tx.dsl(), lease, TEN_MINUTES));
              assertThat(renewed.leaseUntil())
                  .isBetween(beforeRenewal.plus(TEN_MINUTES), clock(tx.dsl()).plus(TEN_MINUTES));
            });
  }

  // Case 14
  @ParameterizedTest
  @EnumSource
  void claim_whoseTransactionOutlivesItsLease_neverHasTwoHolders(Leased kind) {
    long id = kind.addOne(DB.dsl(), "row");
    Leases first = Leases.ownedBy("first");
    Leases second = Leases.ownedBy("second");

    Lease<Long> late =
        DB.dsl()
            .transactionResult(
                tx -> {
                  Lease<Long> lease =
                      only(
                          first.claimByKey(
                              tx.dsl(),
                              kind.table(),
                              ClaimTerms.leaseFor(Duration.ofMillis(1)),
                              id));
                  tx.dsl().execute("select pg_sleep(0.05)");
                  assertThat(second.claimByKey(DB.dsl(), kind.table(), LONG, id).isEmpty())
                      .isTrue();
                  assertThat(first.complete(tx.dsl(), lease)).isEqualTo(LeaseOutcome.EXPIRED);
                  assertThat(first.renew(tx.dsl(), lease, TEN_MINUTES))
                      .isEqualTo(new RenewOutcome.Refused<>(lease, LeaseOutcome.EXPIRED));
                  return lease;
                });

    Lease<Long> current = only(second.claimByKey(DB.dsl(), kind.table(), LONG, id));
    assertThat(first.complete(DB.dsl(), late)).isEqualTo(LeaseOutcome.SUPERSEDED);
    assertThat(second.complete(DB.dsl(), current)).isEqualTo(LeaseOutcome.ACCEPTED);
  }

  // Case 14: what else is a time
  @Test
  void retry_inALongTransaction_countsFromItsOwnTime() {
    Lease<Long> lease = Leased.JOB_ROW.claimed(DB.dsl(), "row", 1, LONG).get(0);

    DB.dsl()
        .transaction(
            tx -> {
              OffsetDateTime opened = clock(tx.dsl());
              tx.dsl().execute("select pg_sleep(0.1)");
              assertThat(
                      Leases.ownedBy("owner")
                          .retry(tx.dsl(), lease, Duration.ofSeconds(10), "later"))
                  .isEqualTo(LeaseOutcome.ACCEPTED);
              OffsetDateTime due =
                  tx.dsl()
                      .fetchSingle("select run_after from shop.job")
                      .get(0, SQLDataType.TIMESTAMPWITHTIMEZONE.getType());
              assertThat(due).isAfter(opened.plusSeconds(10).plusNanos(100_000_000));
            });
  }

  private static Lease<Long> renewed(RenewOutcome<Long> outcome) {
    assertThat(outcome).isInstanceOf(RenewOutcome.Renewed.class);
    return ((RenewOutcome.Renewed<Long>) outcome).lease();
  }

  private static OffsetDateTime clock(DSLContext dsl) {
    return dsl.fetchSingle("select clock_timestamp()").get(0, OffsetDateTime.class);
  }
}
