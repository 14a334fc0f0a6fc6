package dev.fencedoutbox.it.proofs;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.proofs.Backlog.Statistics;
import dev.fencedoutbox.it.proofs.Explained.PlanCacheMode;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.KeyWalk;
import dev.fencedoutbox.lease.LeaseStatements;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.OrderedClaims;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jooq.DSLContext;
import org.jooq.ExecuteListener;
import org.jooq.Query;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An ordered claim's cost depends neither on one key's backlog nor on the number of keys. */
class OrderedClaimPlanTest {

  private static final int LIMIT = 100;
  private static final int MOST_BUFFERS = 5_000;
  private static final int RUN = 10;
  private static final int MOST_BUFFERS_OF_RUN = 250;
  private static final Backlog ONE_KEY = new Backlog(dsl -> fill(dsl, 10_000, "'hot'"));
  private static final Backlog MANY_KEYS = new Backlog(dsl -> fill(dsl, 100_000, "'k' || n"));

  @ParameterizedTest(name = "statistics {0}")
  @EnumSource
  void claimInOrder_ofOneKeyWithTenThousandWaiting_readsItsRun(Statistics statistics)
      throws SQLException {
    assertCheap(ONE_KEY.database(statistics), LIMIT);
  }

  /** With statistics, the backlog of a hot key is neither read nor sorted for each run. */
  @ParameterizedTest
  @EnumSource
  void claimInOrder_ofRunOfTen_ofOneKeyWithTenThousandWaiting_readsTen(PlanCacheMode mode)
      throws SQLException {
    try (Connection connection = ONE_KEY.database(Statistics.FRESH).connect()) {
      connection.setAutoCommit(false);
      Explained claim = claim(connection, mode, RUN);
      assertThat(claim.rows()).isEqualTo(RUN);
      assertThat(claim.buffers()).as(claim.text()).isLessThan(MOST_BUFFERS_OF_RUN);
      connection.rollback();
    }
  }

  @ParameterizedTest(name = "statistics {0}")
  @EnumSource
  void claimInOrder_amongHundredThousandKeys_readsThoseItMeets(Statistics statistics)
      throws SQLException {
    assertCheap(MANY_KEYS.database(statistics), 10);
  }

  /** What keeps a head from being claimed, where nothing but the claim itself says so. */
  enum Blocked {
    NOT_DUE("next_attempt_at = clock_timestamp() + interval '1 hour'"),
    LEASED("status = 'INPROGRESS', lease_until = clock_timestamp() + interval '1 hour'"),
    ENDED("status = 'DEAD', lease_until = clock_timestamp() - interval '1 hour'");

    final String assignments;

    Blocked(String assignments) {
      this.assignments = assignments;
    }
  }

  /** Of keys that are blocked it reads the heads, however many stand behind them. */
  @ParameterizedTest
  @EnumSource
  void claimInOrder_pastBlockedKeys_readsTheirHeadsAlone(Blocked blocked) throws SQLException {
    Claim claim = OrderedClaimPlanTest::claim;
    long alone = buffersPastBlockedKeys(claim, blocked, 1);
    assertThat(buffersPastBlockedKeys(claim, blocked, 20)).isLessThan(alone * 3 / 2);
  }

  @ParameterizedTest
  @EnumSource
  void repeatedClaimInOrder_pastBlockedKeys_readsTheirHeadsAlone(Blocked blocked)
      throws SQLException {
    Claim claim = OrderedClaimPlanTest::repeatedClaim;
    long alone = buffersPastBlockedKeys(claim, blocked, 1);
    assertThat(buffersPastBlockedKeys(claim, blocked, 20)).isLessThan(alone * 3 / 2);
  }

  private interface Claim {
    Explained explained(Connection connection, PlanCacheMode mode, int runLength)
        throws SQLException;
  }

  private static long buffersPastBlockedKeys(Claim ofKind, Blocked blocked, int rowsOfKey)
      throws SQLException {
    TestDatabase database = Backlog.empty();
    database
        .dsl()
        .execute(
            "alter table outbox.delivery drop constraint delivery_leased_iff_inprogress,"
                + " drop constraint delivery_dead_iff_never_due");
    fill(database.dsl(), rowsOfKey * LIMIT, "'k' || n % " + LIMIT);
    database.dsl().execute("update outbox.delivery set " + blocked.assignments);
    database.dsl().execute("vacuum full analyze outbox.delivery");
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      Explained claim = ofKind.explained(connection, PlanCacheMode.FORCE_GENERIC_PLAN, 10);
      assertThat(claim.rows()).isEqualTo(LIMIT);
      connection.rollback();
      return claim.buffers();
    } finally {
      database.renewPool();
    }
  }

  private static void assertCheap(TestDatabase database, int runLength) throws SQLException {
    for (PlanCacheMode mode : PlanCacheMode.values()) {
      try (Connection connection = database.connect()) {
        connection.setAutoCommit(false);
        Explained claim = claim(connection, mode, runLength);
        assertThat(claim.rows()).isEqualTo(LIMIT);
        assertThat(claim.buffers()).as(claim.text()).isLessThan(MOST_BUFFERS);
        connection.rollback();
      }
    }
  }

  private static void fill(DSLContext dsl, int rows, String key) {
    Backlog.load(
        dsl,
        "with said as (insert into outbox.message"
            + " (event_id, topic, content_type, ordering_key, payload_json)"
            + " select 'e' || n, 'plain', 'application/json', "
            + key
            + ", '1' from generate_series(1, "
            + rows
            + ") n returning id, ordering_key) insert into outbox.delivery"
            + " (message_id, channel, ordering_key) select id, 'default', ordering_key from said");
  }

  private static Explained claim(Connection connection, PlanCacheMode mode, int runLength)
      throws SQLException {
    return Explained.of(
        connection,
        mode,
        LeaseStatements.claimInOrder(
                Outbox.create().orderedDeliveries(Channel.DEFAULT),
                LONG,
                "plan",
                KeyWalk.of(LIMIT).withRunLength(runLength))
            .query());
  }

  /** What one that is made again and again has sent, for the same walk. */
  private static Explained repeatedClaim(Connection connection, PlanCacheMode mode, int runLength)
      throws SQLException {
    List<Query> sent = new ArrayList<>();
    ExecuteListener listener =
        ExecuteListener.onExecuteStart(
            context -> sent.add(Objects.requireNonNull(context.query())));
    DSLContext dsl = TestDatabase.on(connection).configuration().deriveAppending(listener).dsl();
    OrderedClaims<Long, Delivery> unused =
        Leases.ownedBy("plan")
            .repeatedClaimInOrder(Outbox.create().orderedDeliveries(Channel.DEFAULT), LONG, LIMIT)
            .claim(dsl, KeyWalk.of(LIMIT).withRunLength(runLength));
    connection.rollback();
    return Explained.of(connection, mode, sent.get(0));
  }
}
