package dev.fencedoutbox.it.cases;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.ApiCall;
import dev.fencedoutbox.it.support.Leased;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Verb;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.RenewOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OldEpochTest {
  static final TestDatabase DB = TestDatabase.create();

  /** What has become of the row since the claim whose lease is used. */
  enum Since {
    /** Case 2: the same worker name has lost the row and claimed it again. */
    CLAIMED_BY_THE_SAME_NAME((kind, lease) -> takeOver(kind, lease, "owner")),

    CLAIMED_BY_ANOTHER((kind, lease) -> takeOver(kind, lease, "another")),

    /** Case 3: the owner is NULL again, and the row is READY. */
    CLAIMED_AND_RETRIED(
        (kind, lease) ->
            accept(
                LEASES.retry(
                    DB.dsl(), takeOver(kind, lease, "another"), Duration.ofHours(1), "later"))),

    CLAIMED_AND_RELEASED(
        (kind, lease) -> accept(LEASES.release(DB.dsl(), takeOver(kind, lease, "another")))),

    CLAIMED_AND_BURIED(
        (kind, lease) ->
            accept(LEASES.bury(DB.dsl(), takeOver(kind, lease, "another"), "hopeless"))),

    CLAIMED_AND_COMPLETED(
        (kind, lease) -> accept(LEASES.complete(DB.dsl(), takeOver(kind, lease, "another")))),

    CLAIMED_AND_RENEWED(
        (kind, lease) ->
            assertThat(LEASES.renew(DB.dsl(), takeOver(kind, lease, "another"), LONG.leaseFor()))
                .isInstanceOf(RenewOutcome.Renewed.class)),

    CLAIMED_AND_EXPIRED(
        (kind, lease) -> kind.expire(DB.dsl(), takeOver(kind, lease, "another").key())),

    EXPIRED((kind, lease) -> kind.expire(DB.dsl(), lease.key())),

    RETRIED((kind, lease) -> accept(LEASES.retry(DB.dsl(), lease, Duration.ZERO, "later"))),

    RELEASED((kind, lease) -> accept(LEASES.release(DB.dsl(), lease))),

    BURIED((kind, lease) -> accept(LEASES.bury(DB.dsl(), lease, "hopeless"))),

    COMPLETED((kind, lease) -> accept(LEASES.complete(DB.dsl(), lease)));

    @SuppressWarnings("ImmutableEnumChecker") // a lambda without state
    final BiConsumer<Leased, Lease<Long>> change;

    Since(BiConsumer<Leased, Lease<Long>> change) {
      this.change = change;
    }
  }

  static final Leases LEASES = Leases.ownedBy("owner");

  static Lease<Long> takeOver(Leased kind, Lease<Long> lease, String owner) {
    Lease<Long> second = kind.takeOver(DB.dsl(), lease.key(), owner);
    assertThat(second.epoch()).isGreaterThan(lease.epoch());
    return second;
  }

  static void accept(LeaseOutcome outcome) {
    assertThat(outcome).isEqualTo(LeaseOutcome.ACCEPTED);
  }

  static Stream<Arguments> everyVerbAfterEveryChange() {
    List<Arguments> all = new ArrayList<>();
    for (Leased kind : Leased.values()) {
      for (Since since : Since.values()) {
        for (Verb verb : Verb.values()) {
          all.add(Arguments.of(kind, since, verb));
        }
      }
    }
    return all.stream();
  }

  @BeforeEach
  void clear() {
    DB.clear();
  }

  // Cases 2 and 3
  @ParameterizedTest
  @MethodSource("everyVerbAfterEveryChange")
  void write_underALeaseThatIsOver_isRefusedAndTheRowIsUntouched(
      Leased kind, Since since, Verb verb) {
    DSLContext dsl = DB.dsl();
    List<Lease<Long>> old = kind.claimed(dsl, "row", 2, LONG);
    old.forEach(lease -> since.change.accept(kind, lease));
    List<String> before = ApiCall.rows(dsl);

    List<Boolean> accepted = dsl.transactionResult(tx -> verb.write(kind, tx.dsl(), old));

    assertThat(accepted).containsExactly(false, false);
    assertThat(ApiCall.rows(dsl)).isEqualTo(before);
  }

  static Stream<Arguments> everyBatchedVerb() {
    return Stream.of(Leased.values())
        .flatMap(
            kind ->
                Stream.of(Verb.values())
                    .filter(Verb::batched)
                    .map(verb -> Arguments.of(kind, verb)));
  }

  // Cases 2 and 3: an old lease beside good ones, one of them the current lease of the same row
  @ParameterizedTest
  @MethodSource("everyBatchedVerb")
  void write_ofABatchWithOldLeases_refusesThoseAlone(Leased kind, Verb verb) {
    DSLContext dsl = DB.dsl();
    List<Lease<Long>> leases = kind.claimed(dsl, "row", 4, LONG);
    takeOver(kind, leases.get(1), "owner");
    Lease<Long> current = takeOver(kind, leases.get(2), "owner");
    List<String> before = rows(kind, leases);
    List<Lease<Long>> batch = new ArrayList<>(leases);
    batch.add(current);
    Collections.reverse(batch);

    List<Boolean> accepted = verb.write(kind, dsl, batch);

    assertThat(accepted).containsExactly(true, true, false, false, true);
    List<String> after = rows(kind, leases);
    assertThat(after.get(1)).isEqualTo(before.get(1));
    assertThat(List.of(after.get(0), after.get(2), after.get(3)))
        .doesNotContainAnyElementsOf(before);
  }

  private static List<String> rows(Leased kind, List<Lease<Long>> leases) {
    return leases.stream().map(lease -> kind.row(DB.dsl(), lease.key())).toList();
  }
}
