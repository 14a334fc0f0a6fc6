package dev.fencedoutbox.it.guards;

import static dev.fencedoutbox.it.guards.Guarded.LEASES;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.noCondition;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.lease.Claims;
import dev.fencedoutbox.lease.KeyWalk;
import dev.fencedoutbox.lease.OrderedTable;
import dev.fencedoutbox.lease.RepeatedClaim.Range;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Outbox;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

/** Which rows each kind of claim takes, and what it writes. */
class ClaimGuardsTest {

  private static final TestDatabase DB = Guarded.withoutConstraints();

  /** A kind of claim on a table. */
  enum Claim {
    DELIVERIES(Guarded.DELIVERY, false),
    DELIVERIES_AGAIN_AND_AGAIN(Guarded.DELIVERY, false),
    DELIVERY_BY_ID(Guarded.DELIVERY, true),
    DELIVERIES_IN_ORDER(Guarded.DELIVERY, false),
    DELIVERIES_IN_ORDER_AGAIN_AND_AGAIN(Guarded.DELIVERY, false),
    JOBS(Guarded.JOB, false),
    JOB_BY_ID(Guarded.JOB, true);

    final Guarded on;
    final boolean byId;

    Claim(Guarded on, boolean byId) {
      this.on = on;
      this.byId = byId;
    }

    boolean inOrder() {
      return this == DELIVERIES_IN_ORDER || this == DELIVERIES_IN_ORDER_AGAIN_AND_AGAIN;
    }

    /** Adds rows that it could take, each under an ordering key of its own if it has one. */
    List<Long> add(int count) {
      List<Long> ids = on.addAll(DB.dsl(), count);
      if (inOrder()) {
        ids.forEach(id -> on.set(DB.dsl(), id, "ordering_key = 'key ' || lpad(id::text, 9, '0')"));
      }
      return ids;
    }

    /** Claims those, or whatever it finds. */
    Claims<Long, ?> take(DSLContext dsl, ClaimTerms terms, long id) {
      if (this == DELIVERIES_AGAIN_AND_AGAIN) {
        return LEASES
            .repeatedClaim(on.table(), terms, 10)
            .claim(dsl, new Range(noCondition(), List.of()), List.of(), 10);
      } else if (inOrder()) {
        return walk(dsl, terms, KeyWalk.of(10));
      }
      return byId
          ? LEASES.claimByKey(dsl, on.table(), terms, id)
          : LEASES.claim(dsl, on.table(), terms, 10);
    }

    /** Claims in order along that walk. */
    Claims<Long, ?> walk(DSLContext dsl, ClaimTerms terms, KeyWalk walk) {
      OrderedTable<Long, Delivery> table = Outbox.create().orderedDeliveries(Channel.DEFAULT);
      return this == DELIVERIES_IN_ORDER
          ? LEASES.claimInOrder(dsl, table, terms, walk).claims()
          : LEASES.repeatedClaimInOrder(table, terms, 10).claim(dsl, walk).claims();
    }
  }

  /** What keeps a row from being claimed. */
  enum Bar {
    NOT_DUE("next_attempt_at = clock_timestamp() + interval '1 hour'"),
    LEASED("status = 'INPROGRESS', lease_until = clock_timestamp() + interval '1 hour'"),
    ENDED("status = 'DEAD', lease_until = clock_timestamp() - interval '1 hour'"),
    ENDED_FOR_GOOD("ended_at = clock_timestamp()"),
    ELSEWHERE("channel = 'elsewhere'"),
    OF_ANOTHER_KIND("kind = 'another'"),
    ORDERED("ordering_key = 'k'"),
    UNORDERED("ordering_key = null");

    final String assignments;

    Bar(String assignments) {
      this.assignments = assignments;
    }

    boolean concerns(Claim claim) {
      return switch (this) {
        case NOT_DUE, LEASED, ENDED -> true;
        case ENDED_FOR_GOOD, OF_ANOTHER_KIND -> claim.on == Guarded.JOB;
        case ELSEWHERE -> claim.on == Guarded.DELIVERY;
        case ORDERED -> claim.on == Guarded.DELIVERY && !claim.inOrder();
        case UNORDERED -> claim.inOrder();
      };
    }
  }

  record Barred(Claim claim, Bar bar) {}

  static Stream<Barred> everyBarOfEveryClaim() {
    return Stream.of(Claim.values())
        .flatMap(
            claim ->
                Stream.of(Bar.values())
                    .filter(bar -> bar.concerns(claim))
                    .map(bar -> new Barred(claim, bar)));
  }

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @ParameterizedTest
  @MethodSource("everyBarOfEveryClaim")
  void claim_ofARowThatIsBarred_leavesItAlone(Barred barred) {
    DSLContext dsl = DB.dsl();
    Guarded on = barred.claim().on;
    List<Long> ids = barred.claim().add(2);
    on.set(dsl, ids.get(0), barred.bar().assignments);
    String before = on.row(dsl, ids.get(0));

    Claims<Long, ?> claims = barred.claim().take(dsl, LONG, ids.get(0));

    assertThat(claimed(claims)).isEqualTo(barred.claim().byId ? List.of() : ids.subList(1, 2));
    assertThat(on.row(dsl, ids.get(0))).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"JOBS", "JOB_BY_ID"})
  void claim_besideOtherMessages_handsOutItsOwn(Claim claim) {
    List<Long> ids = claim.add(3);
    Map<Long, String> own =
        DB.dsl()
            .fetch(
                "select d.id, m.event_id from outbox.delivery d"
                    + " join outbox.message m on m.id = d.message_id")
            .intoMap(row -> row.get(0, Long.class), row -> row.get(1, String.class));

    assertThat(claim.take(DB.dsl(), LONG, ids.get(1)).claimed())
        .isNotEmpty()
        .allSatisfy(
            claimed ->
                assertThat(((Delivery) claimed.row()).eventId())
                    .isEqualTo(own.get(claimed.lease().key())));
  }

  @ParameterizedTest
  @EnumSource
  void claim_ofARow_leasesItAndKeepsWhatElseItSays(Claim claim) {
    DSLContext dsl = DB.dsl();
    List<Long> ids = claim.add(2);
    long id = ids.get(0);
    claim.on.set(dsl, id, "epoch = 7, attempts = 2, last_error = 'before'");
    String due = claim.on.value(dsl, id, "next_attempt_at");
    String other = claim.on.row(dsl, ids.get(1));

    Claims<Long, ?> claims = claim.take(dsl, LONG, id);

    assertThat(claimed(claims)).isEqualTo(claim.byId ? List.of(id) : ids);
    assertThat(claims.claimed()).noneMatch(Claimed::reclaimed);
    assertThat(claim.on.value(dsl, id, "(status, epoch, attempts, lease_owner, last_error)"))
        .isEqualTo("(INPROGRESS,8,3,owner,before)");
    assertThat(claim.on.value(dsl, id, "lease_until > clock_timestamp() + interval '9 min'"))
        .isEqualTo("true");
    assertThat(claim.on.value(dsl, id, "next_attempt_at")).isEqualTo(due);
    assertThat(claim.on.row(dsl, ids.get(1)).equals(other)).isEqualTo(claim.byId);
  }

  @ParameterizedTest
  @EnumSource
  void claim_ofASpentRow_buriesItAndKeepsItsNumbers(Claim claim) {
    DSLContext dsl = DB.dsl();
    long id = claim.add(1).get(0);
    claim.on.set(
        dsl,
        id,
        "status = 'INPROGRESS', epoch = 7, attempts = 3, lease_owner = 'dead worker', last_error ="
            + " 'before', lease_until = clock_timestamp() - interval '1 min'");

    Claims<Long, ?> claims = claim.take(dsl, LONG.withAttemptBudget(3), id);

    assertThat(claimed(claims)).isEmpty();
    assertThat(claims.buried()).extracting("key").containsExactly(id);
    assertThat(
            claim.on.value(
                dsl,
                id,
                "(status, epoch, attempts, lease_owner, lease_until, next_attempt_at at time zone 'UTC')"))
        .isEqualTo("(DEAD,7,3,,,\"9999-12-31 00:00:00\")");
    assertThat(claim.on.value(dsl, id, "last_error"))
        .isEqualTo("The attempt budget of 3 is used up. Last error: before");
  }

  @ParameterizedTest
  @EnumSource
  void claim_tellsRowsWhoseLeaseWasOver_fromThoseThatWaited(Claim claim) {
    DSLContext dsl = DB.dsl();
    List<Long> ids = claim.add(2);
    claim.on.set(
        dsl,
        ids.get(1),
        "status = 'INPROGRESS', lease_until = clock_timestamp() - interval '1 min'");

    assertThat(
            Stream.concat(
                claim.take(dsl, LONG, ids.get(0)).claimed().stream(),
                claim.take(dsl, LONG, ids.get(1)).claimed().stream()))
        .extracting(Claimed::reclaimed)
        .containsExactly(false, true);
  }

  @ParameterizedTest
  @EnumSource
  void claim_besideALockedRow_passesItByWithoutWaiting(Claim claim) throws Exception {
    DSLContext dsl = DB.dsl();
    List<Long> ids = claim.add(2);
    try (Connection other = DB.connect();
        Connection impatient = DB.connect()) {
      other.setAutoCommit(false);
      claim.on.set(TestDatabase.on(other), ids.get(0), "last_error = 'mine'");
      TestDatabase.on(impatient).execute("set lock_timeout = '100ms'");

      Claims<Long, ?> claims = claim.take(TestDatabase.on(impatient), LONG, ids.get(0));

      assertThat(claimed(claims)).isEqualTo(claim.byId ? List.of() : ids.subList(1, 2));
      other.rollback();
    }
    assertThat(claim.on.value(dsl, ids.get(0), "status")).isEqualTo("READY");
  }

  static Stream<Barred> everyBarOfARunsSecondRow() {
    return everyBarOfEveryClaim()
        .filter(barred -> barred.claim().inOrder())
        .filter(barred -> Set.of(Bar.NOT_DUE, Bar.LEASED, Bar.ENDED).contains(barred.bar()));
  }

  /** By themselves, whatever their attempts say. */
  @ParameterizedTest
  @MethodSource("everyBarOfARunsSecondRow")
  void claimInOrder_ofAKeyWhoseSecondRowIsBarred_endsTheRunBeforeIt(Barred barred) {
    List<Long> ids = Guarded.DELIVERY.addAll(DB.dsl(), 3);
    ids.forEach(id -> Guarded.DELIVERY.set(DB.dsl(), id, "ordering_key = 'k'"));
    Guarded.DELIVERY.set(DB.dsl(), ids.get(1), barred.bar().assignments);

    assertThat(claimed(barred.claim().take(DB.dsl(), LONG, 0))).isEqualTo(ids.subList(0, 1));
  }

  @ParameterizedTest
  @EnumSource(names = {"DELIVERIES_IN_ORDER", "DELIVERIES_IN_ORDER_AGAIN_AND_AGAIN"})
  void claimInOrder_pastKeysOfAnotherChannel_doesNotCountThem(Claim claim) {
    List<Long> ids = claim.add(4);
    Guarded.DELIVERY.set(DB.dsl(), ids.get(0), Bar.ELSEWHERE.assignments);
    Guarded.DELIVERY.set(DB.dsl(), ids.get(2), Bar.ELSEWHERE.assignments);

    assertThat(claimed(claim.walk(DB.dsl(), LONG, KeyWalk.of(2))))
        .containsExactly(ids.get(1), ids.get(3));
  }

  /** The others of its run were never claimed. */
  @ParameterizedTest
  @EnumSource(names = {"DELIVERIES_IN_ORDER", "DELIVERIES_IN_ORDER_AGAIN_AND_AGAIN"})
  void claimInOrder_ofARunWhoseHeadWasLeased_tellsTheHeadAlone(Claim claim) {
    List<Long> ids = Guarded.DELIVERY.addAll(DB.dsl(), 2);
    ids.forEach(id -> Guarded.DELIVERY.set(DB.dsl(), id, "ordering_key = 'k'"));
    Guarded.DELIVERY.set(
        DB.dsl(),
        ids.get(0),
        "status = 'INPROGRESS', lease_until = clock_timestamp() - interval '1 min'");

    assertThat(claim.take(DB.dsl(), LONG, 0).claimed())
        .extracting(Claimed::reclaimed)
        .containsExactly(true, false);
  }

  private static List<Long> claimed(Claims<Long, ?> claims) {
    return claims.claimed().stream().map(claim -> claim.lease().key()).toList();
  }
}
