package dev.fencedoutbox.it.cases;

import static dev.fencedoutbox.it.shop.Tables.JOB;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.leases;
import static dev.fencedoutbox.it.support.Fixtures.only;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.fencedoutbox.it.app.ShopJobs;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.Leased;
import dev.fencedoutbox.it.support.LogLines;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Buried;
import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.lease.Claims;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final Leases ONE = Leases.ownedBy("one");
  private static final Leases OTHER = Leases.ownedBy("other");

  @BeforeEach
  void clear() {
    DB.clear();
  }

  // Case 6
  @ParameterizedTest
  @EnumSource
  void claim_ofARowEnqueuedAnHourAgo_keepsOthersOutUntilThisLeaseEnds(Leased kind) {
    DSLContext dsl = DB.dsl();
    long id = kind.addOne(dsl, "row");
    dueSince(kind, id, "clock_timestamp() - interval '1 hour'");
    Lease<Long> lease =
        only(ONE.claim(dsl, kind.table(), ClaimTerms.leaseFor(Duration.ofMinutes(5)), 10));

    assertThat(OTHER.claim(dsl, kind.table(), LONG, 10).isEmpty()).isTrue();
    assertThat(OTHER.claimByKey(dsl, kind.table(), LONG, id).isEmpty()).isTrue();

    kind.expire(dsl, id);
    Lease<Long> next = only(OTHER.claim(dsl, kind.table(), LONG, 10));
    assertThat(next.epoch().value()).isEqualTo(lease.epoch().value() + 1);
  }

  // Case 7
  @ParameterizedTest
  @EnumSource
  void claim_behindManyOlderRowsThatAreNotClaimable_findsTheDueOne(Leased kind) {
    DSLContext dsl = DB.dsl();
    kind.add(dsl, "dead", 250);
    leases(ONE.claim(dsl, kind.table(), LONG, 250))
        .forEach(
            lease ->
                assertThat(ONE.bury(dsl, lease, "exhausted")).isEqualTo(LeaseOutcome.ACCEPTED));
    kind.add(dsl, "later", 250);
    kind.ids(dsl, "later")
        .forEach(id -> dueSince(kind, id, "clock_timestamp() + interval '1 hour'"));
    long due = kind.addOne(dsl, "due");

    Lease<Long> lease = only(ONE.claim(dsl, kind.table(), LONG, 10));

    assertThat(lease.key()).isEqualTo(due);
  }

  // Case 7: exhausted rows that no claim has met yet must not use up the whole batch for good
  @ParameterizedTest
  @EnumSource
  void claim_behindManyRowsWithASpentBudget_buriesThemAndComesToTheDueOne(Leased kind) {
    DSLContext dsl = DB.dsl();
    List<Lease<Long>> spent = kind.claimed(dsl, "spent", 25, LONG);
    spent.forEach(lease -> kind.expire(dsl, lease.key()));
    long due = kind.addOne(dsl, "due");
    ClaimTerms terms = LONG.withAttemptBudget(1);

    int buried = 0;
    List<Lease<Long>> claimed = List.of();
    for (int round = 1; round <= 3; round++) {
      Claims<Long, ?> claims = ONE.claim(dsl, kind.table(), terms, 10);
      buried += claims.buried().size();
      claimed = leases(claims);
    }

    assertThat(buried).isEqualTo(25);
    assertThat(claimed).extracting(Lease::key).containsExactly(due);
  }

  @ParameterizedTest
  @EnumSource
  void claim_ofMany_givesAllOneDeadline(Leased kind) {
    DSLContext dsl = DB.dsl();
    kind.add(dsl, "row", 50);

    List<Lease<Long>> claimed = leases(ONE.claim(dsl, kind.table(), LONG, 50));

    assertThat(claimed).hasSize(50);
    assertThat(claimed).extracting(Lease::leaseUntil).containsOnly(claimed.get(0).leaseUntil());
  }

  @ParameterizedTest
  @EnumSource
  void claim_tellsARowWhoseLeaseWasOver_fromThoseThatWaited(Leased kind) {
    DSLContext dsl = DB.dsl();
    List<Lease<Long>> before = kind.claimed(dsl, "row", 3, LONG);
    kind.expire(dsl, before.get(0).key());
    assertThat(ONE.retry(dsl, before.get(1), Duration.ZERO, "again"))
        .isEqualTo(LeaseOutcome.ACCEPTED);
    assertThat(ONE.release(dsl, before.get(2))).isEqualTo(LeaseOutcome.ACCEPTED);

    assertThat(ONE.claim(dsl, kind.table(), LONG, 10).claimed())
        .hasSize(3)
        .filteredOn(Claimed::reclaimed)
        .extracting(claimed -> claimed.lease().key())
        .containsExactly(before.get(0).key());
  }

  // Case 8
  @ParameterizedTest
  @EnumSource
  void claim_ofARowWhoseWorkerDiesEachTime_isHandedOutAsOftenAsItsBudgetThenDeadAndLoud(
      Leased kind) {
    DSLContext dsl = DB.dsl();
    long id = kind.addOne(dsl, "row");
    ClaimTerms three = LONG.withAttemptBudget(3);
    for (int start = 1; start <= 3; start++) {
      Lease<Long> lease = only(ONE.claim(dsl, kind.table(), three, 10));
      assertThat(lease.attempts()).isEqualTo(start);
      kind.expire(dsl, id);
    }

    try (LogLines log = LogLines.of(Leases.class.getName(), Level.ERROR)) {
      Claims<Long, ?> claims = ONE.claim(dsl, kind.table(), three, 10);

      assertThat(claims.claimed()).isEmpty();
      assertThat(claims.buried())
          .singleElement()
          .satisfies(buried -> assertThat(buried.key()).isEqualTo(id))
          .extracting(Buried::attempts)
          .isEqualTo(3);
      assertThat(log.messages())
          .containsExactly(
              "Buried "
                  + kind.table()
                  + " "
                  + id
                  + " after 3 attempts; it is DEAD and is not claimed again until somebody redrives"
                  + " it. Reason: The attempt budget of 3 is used up. Last error: none was"
                  + " reported; the worker died or its lease ran out.");
    }
    assertThat(kind.row(dsl, id)).contains("DEAD");
    assertThat(ONE.claim(dsl, kind.table(), three.withAttemptBudget(9), 10).isEmpty()).isTrue();
    assertThat(ONE.claimByKey(dsl, kind.table(), three, id).isEmpty()).isTrue();
  }

  // Case 8
  @ParameterizedTest
  @EnumSource
  void release_anyNumberOfTimes_leavesTheBudgetWhole(Leased kind) {
    DSLContext dsl = DB.dsl();
    long id = kind.addOne(dsl, "row");
    ClaimTerms two = LONG.withAttemptBudget(2);
    for (int round = 1; round <= 20; round++) {
      Lease<Long> lease = only(ONE.claim(dsl, kind.table(), two, 1));
      assertThat(lease.attempts()).isEqualTo(1);
      assertThat(lease.epoch().value()).isEqualTo(round);
      assertThat(
              round % 2 == 0 ? ONE.release(dsl, lease) : ONE.releaseAll(dsl, List.of(lease)).get(0))
          .isEqualTo(LeaseOutcome.ACCEPTED);
    }

    assertThat(only(ONE.claim(dsl, kind.table(), two, 1)).attempts()).isEqualTo(1);
    kind.expire(dsl, id);
    assertThat(only(ONE.claim(dsl, kind.table(), two, 1)).attempts()).isEqualTo(2);
    kind.expire(dsl, id);
    assertThat(ONE.claim(dsl, kind.table(), two, 1).buried()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void retry_withADelay_isNotClaimableBeforeItIsOver(Leased kind) {
    DSLContext dsl = DB.dsl();
    List<Lease<Long>> held = kind.claimed(dsl, "row", 3, LONG);
    assertThat(ONE.retry(dsl, held.get(0), Duration.ofHours(1), "later"))
        .isEqualTo(LeaseOutcome.ACCEPTED);
    assertThat(
            ONE.retryAll(
                dsl,
                List.of(
                    new Retry<>(held.get(1), Duration.ofHours(2), "last"),
                    new Retry<>(held.get(2), Duration.ZERO, "now"))))
        .containsOnly(LeaseOutcome.ACCEPTED);

    assertThat(only(OTHER.claim(dsl, kind.table(), LONG, 10)).key()).isEqualTo(held.get(2).key());
    anHourPasses(kind);
    assertThat(only(OTHER.claim(dsl, kind.table(), LONG, 10)).key()).isEqualTo(held.get(0).key());
    anHourPasses(kind);
    assertThat(only(OTHER.claim(dsl, kind.table(), LONG, 10)).key()).isEqualTo(held.get(1).key());
  }

  /** For due times alone; the leases go on. */
  private static void anHourPasses(Leased kind) {
    assertThat(
            DB.dsl()
                .execute(
                    "update %1$s set %2$s = %2$s - interval '1 hour'"
                        .formatted(kind.qualifiedName(), dueColumn(kind))))
        .isEqualTo(3);
  }

  private static String dueColumn(Leased kind) {
    return kind == Leased.JOB_ROW ? "run_after" : "next_attempt_at";
  }

  private static void dueSince(Leased kind, long id, String time) {
    String column = dueColumn(kind);
    assertThat(
            DB.dsl()
                .execute(
                    "update "
                        + kind.qualifiedName()
                        + " set "
                        + column
                        + " = "
                        + time
                        + " where id = ?",
                    id))
        .isEqualTo(1);
  }

  // Case 35: otherwise each claim would walk over all that is done
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void complete_ofARowThatStays_takesItOutOfTheWalk(boolean withEffect) {
    DSLContext dsl = DB.dsl();
    Leases leases = Leases.ownedBy("owner");
    Lease<Long> lease = Fixtures.onlyJob(DB, leases);

    if (withEffect) {
      assertThat(leases.finish(dsl, lease, ShopJobs.storing("done")))
          .isEqualTo(EffectOutcome.APPLIED);
    } else {
      assertThat(leases.complete(dsl, lease)).isEqualTo(LeaseOutcome.ACCEPTED);
    }

    assertThat(dsl.fetchSingle(JOB).getRunAfter().toInstant())
        .isEqualTo(Instant.parse("9999-12-31T00:00:00Z"));
  }
}
