package dev.fencedoutbox.it.cases;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.leases;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.ApiCall;
import dev.fencedoutbox.it.support.Leased;
import dev.fencedoutbox.it.support.Proofs;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Together;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.RenewOutcome;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag(Proofs.SHORTENED)
class RaceTest {
  static final TestDatabase DB = TestDatabase.create();

  /** For each of the two tables. */
  private static final int ROUNDS = Proofs.effort(1_000, 5_000);

  private static final Leases LEASES = Leases.ownedBy("owner");

  @BeforeEach
  void clear() {
    DB.clear();
  }

  // Case 9
  @ParameterizedTest
  @EnumSource
  void complete_racingTheWorkersOwnRenewal_isNeverRefused(Leased kind) throws Exception {
    List<Lease<Long>> all = manyClaimed(kind);
    CyclicBarrier round = new CyclicBarrier(2);
    List<LeaseOutcome> completions;
    List<RenewOutcome<Long>> renewals;
    try (Together together = new Together();
        Connection completer = DB.connect();
        Connection renewer = DB.connect()) {
      Future<List<LeaseOutcome>> completing =
          together.start(
              () -> {
                List<LeaseOutcome> outcomes = new ArrayList<>();
                for (Lease<Long> lease : all) {
                  int unused = round.await(60, TimeUnit.SECONDS);
                  outcomes.add(LEASES.complete(TestDatabase.on(completer), lease));
                }
                return outcomes;
              });
      Future<List<RenewOutcome<Long>>> renewing =
          together.start(
              () -> {
                List<RenewOutcome<Long>> outcomes = new ArrayList<>();
                for (Lease<Long> lease : all) {
                  int unused = round.await(60, TimeUnit.SECONDS);
                  outcomes.add(
                      LEASES.renew(TestDatabase.on(renewer), lease, Duration.ofMinutes(1)));
                }
                return outcomes;
              });
      completions = Together.resultOf(completing);
      renewals = Together.resultOf(renewing);
    }

    assertThat(completions).hasSize(ROUNDS).containsOnly(LeaseOutcome.ACCEPTED);
    assertThat(renewals)
        .allSatisfy(
            renewal -> {
              if (renewal instanceof RenewOutcome.Refused<Long> refused) {
                assertThat(refused.reason()).isIn(LeaseOutcome.GONE, LeaseOutcome.SETTLED);
              }
            });
    // Otherwise it was no race
    assertThat(renewals).hasAtLeastOneElementOfType(RenewOutcome.Renewed.class);
    assertThat(renewals).hasAtLeastOneElementOfType(RenewOutcome.Refused.class);
  }

  private static List<Lease<Long>> manyClaimed(Leased kind) {
    DSLContext dsl = DB.dsl();
    if (kind == Leased.JOB_ROW) {
      dsl.execute("insert into shop.job (input) select 'j' from generate_series(1, ?)", ROUNDS);
    } else {
      kind.add(dsl, "row", ROUNDS);
    }
    List<Lease<Long>> all = leases(LEASES.claim(dsl, kind.table(), LONG, ROUNDS));
    assertThat(all).hasSize(ROUNDS);
    return all;
  }

  // Case 9, batched: overlapping batches in different orders
  @ParameterizedTest
  @EnumSource
  void completeAll_racingRenewAllOfOverlappingBatches_completesEachRowOnce(Leased kind) {
    List<Lease<Long>> all = kind.claimed(DB.dsl(), "row", 300, LONG);
    Map<Lease<Long>, AtomicInteger> completed = new ConcurrentHashMap<>();
    all.forEach(lease -> completed.put(lease, new AtomicInteger()));
    AtomicInteger thread = new AtomicInteger();

    List<Boolean> done =
        Together.run(
            4,
            () -> {
              int number = thread.getAndIncrement();
              Random random = new Random(number);
              for (int batch = 0; batch < 60; batch++) {
                List<Lease<Long>> some = new ArrayList<>(all);
                Collections.shuffle(some, random);
                some = List.copyOf(some.subList(0, 40));
                if (number % 2 == 0) {
                  retrying(some, RaceTest::renew);
                } else {
                  retrying(some, batched -> complete(batched, completed));
                }
              }
              return true;
            });
    complete(all, completed);

    assertThat(done).containsOnly(true);
    assertThat(completed.values()).allSatisfy(times -> assertThat(times).hasValue(1));
  }

  private interface Batch {
    void run(List<Lease<Long>> leases);
  }

  private static void renew(List<Lease<Long>> leases) {
    assertThat(LEASES.renewAll(DB.dsl(), leases, Duration.ofMinutes(1))).hasSameSizeAs(leases);
  }

  private static void complete(
      List<Lease<Long>> leases, Map<Lease<Long>, AtomicInteger> completed) {
    List<LeaseOutcome> outcomes = LEASES.completeAll(DB.dsl(), leases);
    for (int i = 0; i < leases.size(); i++) {
      if (outcomes.get(i).accepted()) {
        Objects.requireNonNull(completed.get(leases.get(i))).incrementAndGet();
      } else {
        assertThat(outcomes.get(i)).isIn(LeaseOutcome.GONE, LeaseOutcome.SETTLED);
      }
    }
  }

  /** A deadlock has changed nothing, and the batch may be sent again. */
  private static void retrying(List<Lease<Long>> leases, Batch batch) {
    while (true) {
      try {
        batch.run(leases);
        return;
      } catch (DataAccessException e) {
        if (!"40P01".equals(e.sqlState())) {
          throw e;
        }
      }
    }
  }

  // Case 10: the owner has written and not committed; the sweep passes by
  @ParameterizedTest
  @EnumSource
  void claim_whileTheOwnersWriteIsUncommitted_skipsTheRow(Leased kind) {
    List<Lease<Long>> leases = kind.claimed(DB.dsl(), "row", 3, LONG);

    DB.dsl()
        .transaction(
            owner -> {
              writeInTimeAndLetExpire(kind, owner.dsl(), leases);
              assertThat(Leases.ownedBy("sweep").claim(DB.dsl(), kind.table(), LONG, 10).isEmpty())
                  .isTrue();
            });

    assertThat(Leases.ownedBy("sweep").claim(DB.dsl(), kind.table(), LONG, 10).isEmpty()).isTrue();
  }

  // Case 10: the sweep has read the rows as expired; then the owner commits; then the sweep writes
  @ParameterizedTest
  @EnumSource
  void claim_thatReadTheRowAsExpiredBeforeTheOwnersCommit_changesNothing(Leased kind)
      throws Exception {
    List<Lease<Long>> leases = kind.claimed(DB.dsl(), "row", 3, LONG);
    try (Together together = new Together();
        Connection gate = DB.connect();
        Connection sweep = DB.connect()) {
      DSLContext gateDsl = TestDatabase.on(gate);
      gateDsl.execute("select pg_advisory_lock(42)");
      int pid = Together.pid(TestDatabase.on(sweep));
      Future<Boolean> nothing =
          DB.dsl()
              .transactionResult(
                  owner -> {
                    writeInTimeAndLetExpire(kind, owner.dsl(), leases);
                    Future<Boolean> claim =
                        together.start(
                            () ->
                                Leases.ownedBy("sweep")
                                    .claim(
                                        TestDatabase.on(sweep),
                                        kind.table().where(AT_THE_GATE),
                                        LONG,
                                        10)
                                    .isEmpty());
                    // It has its snapshot, in which the leases are over, and waits at the gate
                    Together.awaitBlocked(DB.dsl(), pid);
                    return claim;
                  });
      List<String> committed = ApiCall.rows(DB.dsl());
      gateDsl.execute("select pg_advisory_unlock(42)");

      assertThat(Together.resultOf(nothing)).isTrue();
      assertThat(ApiCall.rows(DB.dsl())).isEqualTo(committed);
    }
  }

  /** Evaluated once, after the statement has its snapshot. */
  private static final org.jooq.Condition AT_THE_GATE =
      org.jooq.impl.DSL.condition("(select pg_advisory_xact_lock(42)::text) is not null");

  /**
   * In time: completes the first, renews the second, buries the third. Everybody else sees leases
   * that are over. The rows' committed deadlines are in the past, and the owner's transaction alone
   * knows later ones, so nobody has to wait for a real deadline.
   */
  private static void writeInTimeAndLetExpire(
      Leased kind, DSLContext owner, List<Lease<Long>> leases) {
    for (Lease<Long> lease : leases) {
      kind.expire(DB.dsl(), lease.key());
      owner.execute(
          "update "
              + kind.qualifiedName()
              + " set lease_until = clock_timestamp() + interval '10 min' where id = ?",
          lease.key());
    }
    assertThat(LEASES.complete(owner, leases.get(0))).isEqualTo(LeaseOutcome.ACCEPTED);
    assertThat(LEASES.renew(owner, leases.get(1), Duration.ofMinutes(10)))
        .isInstanceOf(RenewOutcome.Renewed.class);
    assertThat(LEASES.bury(owner, leases.get(2), "hopeless")).isEqualTo(LeaseOutcome.ACCEPTED);
  }
}
