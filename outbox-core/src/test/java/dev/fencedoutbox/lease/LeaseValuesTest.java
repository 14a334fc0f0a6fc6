package dev.fencedoutbox.lease;

import static dev.fencedoutbox.lease.Sample.DELIVERIES;
import static dev.fencedoutbox.lease.Sample.MINUTE;
import static dev.fencedoutbox.lease.Sample.PLAIN;
import static dev.fencedoutbox.lease.Sample.lease;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.INBOX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bounds, arithmetic and decisions that need no database. */
class LeaseValuesTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0, PT1M",
    "0, 59999999999, PT0.000000001S",
    "0, 61000000000, PT-1S",
    "-5, 5, PT59.99999999S",
    // System.nanoTime() may overflow between two readings
    "9223372036854775807, -9223372036854775808, PT59.999999999S",
    "9223372036854775800, -9223372036854775709, PT59.999999893S",
  })
  void trustLeft_isLengthMinusTimeSinceSent(long sent, long now, Duration left) {
    assertThat(lease(DELIVERIES, 17, sent).trustLeft(now)).isEqualTo(left);
  }

  @Test
  void renewal_keepsEpochAndAttempts() {
    Lease<Long> old = lease(17);
    OffsetDateTime until = OffsetDateTime.parse("2026-01-01T01:00:00Z");
    Lease<Long> renewed = old.renewed(until, new Lease.Term(Duration.ofHours(1), 7));
    assertThat(renewed).isEqualTo(old).hasSameHashCodeAs(old);
    assertThat(renewed.attempts()).isEqualTo(2);
    assertThat(renewed.leaseUntil()).isEqualTo(until);
    assertThat(renewed.trustLeft(7)).isEqualTo(Duration.ofHours(1));
  }

  @ParameterizedTest
  @CsvSource({
    "3, 4, true, SUPERSEDED",
    "3, 4, false, SUPERSEDED",
    "3, 3, true, EXPIRED",
    "3, 3, false, SETTLED",
    "3, 2, true, GONE",
    "3, 2, false, GONE",
    "3, 0, false, GONE",
  })
  void reason_followsFromEpochAndStatus(
      long mine, long current, boolean inProgress, LeaseOutcome reason) {
    assertThat(GuardedWrite.reason(new Epoch(mine), current, inProgress)).isEqualTo(reason);
  }

  @Test
  void leasesOfTwoTables_areRefused() {
    var other = DELIVERY.as("other");
    LeaseTable<Long, ?> leased =
        LeaseTable.of(other, other.ID)
            .epoch(other.EPOCH)
            .attempts(other.ATTEMPTS)
            .leaseUntil(other.LEASE_UNTIL)
            .status(other.CHANNEL, "A", "B", "C")
            .completedByDelete();
    assertThatThrownBy(() -> GuardedWrite.requireOneTable(List.of(lease(1), lease(leased, 2, 0))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "One call takes leases of one table, and these are of outbox.delivery and of other,"
                + " or of two descriptions of one. Nothing was sent. Make one call for each.");
  }

  @Test
  void leaseThatAppearsTwice_isRefused() {
    assertThatThrownBy(() -> GuardedWrite.requireOneTable(List.of(lease(1), lease(2), lease(1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("appears twice in one call. Nothing was sent.");
  }

  @ParameterizedTest
  @CsvSource({"PT0S", "PT0.0009S", "PT-1S", "PT720H0.001S"})
  void leaseFor_outOfBounds_isRefused(Duration leaseFor) {
    assertThatThrownBy(() -> ClaimTerms.leaseFor(leaseFor))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "leaseFor must be between PT0.001S and PT720H and is %s. Nothing was sent.", leaseFor);
  }

  @Test
  void terms_atTheirBounds_areTaken() {
    assertThat(ClaimTerms.leaseFor(Duration.ofMillis(1)).attemptBudget()).isEqualTo(10);
    assertThat(ClaimTerms.leaseFor(Duration.ofDays(30)).withAttemptBudget(1).leaseFor())
        .isEqualTo(Duration.ofDays(30));
  }

  @Test
  void attemptBudget_belowOne_isRefused() {
    assertThatThrownBy(() -> new ClaimTerms(MINUTE, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("attemptBudget must be 1 or more and is 0. Nothing was sent.");
  }

  @ParameterizedTest
  @CsvSource({"PT-0.001S", "PT8760H0.001S"})
  void retry_outOfBounds_isRefused(Duration after) {
    assertThatThrownBy(() -> new Retry<>(lease(17), after, "error"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("after must be between PT0S and PT8760H and is %s. Nothing was sent.", after);
  }

  @Test
  void errors_areCleaned() {
    assertThat(new Retry<>(lease(17), Duration.ZERO, "a\u0000b").error()).isEqualTo("a\uFFFDb");
    assertThat(new Burial<>(lease(17), "a\uD800b").reason()).isEqualTo("a\uFFFDb");
  }

  @Test
  void epoch_belowOne_isRefused() {
    assertThatThrownBy(() -> new Epoch(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("An epoch starts at 1 and is 0.");
    assertThat(new Epoch(2)).isGreaterThan(new Epoch(1));
  }

  @Test
  void table_withReusableKey_isRefused() {
    assertThatThrownBy(() -> refuse(LeaseTable.of(INBOX, INBOX.EVENT_ID)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is neither an identity column nor a uuid")
        .hasMessageContaining("LeaseTable.ofNeverReused(...)");
    assertThat(LeaseTable.ofNeverReused(INBOX, INBOX.EVENT_ID)).isNotNull();
  }

  @Test
  void table_withEqualStatuses_isRefused() {
    var step =
        LeaseTable.of(DELIVERY, DELIVERY.ID)
            .epoch(DELIVERY.EPOCH)
            .attempts(DELIVERY.ATTEMPTS)
            .leaseUntil(DELIVERY.LEASE_UNTIL);
    assertThatThrownBy(() -> step.status(DELIVERY.CHANNEL, "A", "B", "A"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "The statuses of \"outbox\".\"delivery\".\"channel\" must differ and are [A, B, A].");
    var complete = step.status(DELIVERY.CHANNEL, "A", "B", "C");
    assertThatThrownBy(() -> refuse(complete.completedAs("B")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("must differ and are [A, B, C, B].");
  }

  @Test
  void columnThatIsNotExposed_isRefused() {
    Effect<Long> peeking =
        accepted ->
            DSL.deleteFrom(INBOX).where(INBOX.EVENT_ID.eq(accepted.get(DELIVERY.LAST_ERROR)));
    assertThatThrownBy(() -> refuse(LeaseStatements.apply(lease(17), peeking)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not exposed to fenced effects")
        .hasMessageContaining("LeaseTable.exposing(...)");
  }

  @Test
  void read_sortsByKey_andTellsBuriedFromClaimed() {
    ClaimStatement<Long, ?> claim =
        LeaseStatements.claim(PLAIN, ClaimTerms.leaseFor(MINUTE).withAttemptBudget(2), "me", 9);
    List<Record> rows = List.of(row(claim, 30, false), row(claim, 9, true), row(claim, 10, false));
    Claims<Long, ?> claims = claim.read(rows, 5);
    assertThat(claims.claimed()).extracting(c -> c.lease().key()).containsExactly(10L, 30L);
    assertThat(claims.claimed()).extracting(Claimed::reclaimed).containsExactly(false, true);
    assertThat(claims.claimed()).extracting(c -> c.lease().epoch().value()).containsOnly(4L);
    assertThat(claims.claimed()).extracting(c -> c.lease().trustLeft(5)).containsOnly(MINUTE);
    assertThat(claims.buried())
        .containsExactly(new Buried<>(9L, 2, "The attempt budget of 2 is used up."));
  }

  private static Record row(ClaimStatement<?, ?> claim, long key, boolean buried) {
    DSLContext dsl = DSL.using(SQLDialect.POSTGRES);
    Record row = dsl.newRecord(claim.query().fields());
    row.set(DELIVERY.ID, key);
    row.set(DELIVERY.EPOCH, 4L);
    row.set(DELIVERY.ATTEMPTS, 2);
    row.set(DELIVERY.LEASE_UNTIL, OffsetDateTime.parse("2026-01-01T00:00:00Z"));
    row.set(DSL.field(DSL.name("buried"), Boolean.class), buried);
    row.set(DSL.field(DSL.name("reclaimed"), Boolean.class), key == 30);
    return row;
  }

  private static void refuse(Object value) {
    throw new AssertionError("not refused: " + value);
  }
}
