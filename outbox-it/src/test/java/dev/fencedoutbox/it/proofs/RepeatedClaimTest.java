package dev.fencedoutbox.it.proofs;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.lease.KeyWalk;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.OrderedClaims;
import dev.fencedoutbox.lease.OrderedTable;
import dev.fencedoutbox.lease.RepeatedClaim;
import dev.fencedoutbox.lease.RepeatedOrderedClaim;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.schema.Tables;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.SQLDialect;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims that are made again and again: what they bring, and what the server keeps of them. */
class RepeatedClaimTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Leases LEASES = Leases.ownedBy("again");
  private static final LeaseTable<Long, Delivery> FREE =
      Outbox.create().deliveries(Channel.DEFAULT);
  private static final OrderedTable<Long, Delivery> ORDERED =
      Outbox.create().orderedDeliveries(Channel.DEFAULT);
  private static final Field<OffsetDateTime> DUE_AT = Tables.DELIVERY.NEXT_ATTEMPT_AT;
  private static final RepeatedClaim.Range FROM =
      new RepeatedClaim.Range(
          DUE_AT.ge(RepeatedClaim.placeholder("from", DUE_AT.getDataType())), List.of("from"));
  private static final int MOST = 20;

  /** The driver prepares the fifth on the server, which plans five for their own values. */
  private static final int ENOUGH = 15;

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @Test
  void claim_withMoreOrFewerValuesThanPlaceholders_sendsNothing() {
    RepeatedClaim<Long, Delivery> claim = LEASES.repeatedClaim(FREE, LONG, MOST);
    enqueue(DB.dsl(), message("m"));
    Param<OffsetDateTime> value = val(OffsetDateTime.now(ZoneOffset.UTC).minusHours(1), DUE_AT);
    for (List<Param<?>> values : List.<List<Param<?>>>of(List.of(), List.of(value, value))) {
      assertThatThrownBy(() -> claim.claim(DB.dsl(), FROM, values, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "The range has the placeholders [from] and was given %d values. Nothing was sent. Pass one for each.",
              values.size());
    }
    assertThat(claim.claim(DB.dsl(), FROM, List.of(value), 1).claimed()).hasSize(1);
  }

  @Test
  void claim_ofAnotherFloorAndLimitEachTime_isPlannedOnce() throws SQLException {
    RepeatedClaim<Long, Delivery> claim = LEASES.repeatedClaim(FREE, LONG, MOST);
    OffsetDateTime from = OffsetDateTime.now(ZoneOffset.UTC).minusHours(1);
    try (Connection connection = DB.connect()) {
      DSLContext dsl = TestDatabase.on(connection);
      repeat(
          i -> {
            enqueue(DB.dsl(), message("one " + i), message("two " + i), message("three " + i));
            int limit = 1 + i % 3;
            assertThat(
                    claim
                        .claim(dsl, FROM, List.of(val(from.plusSeconds(i), DUE_AT)), limit)
                        .claimed())
                .hasSize(limit);
          });
      assertThat(genericPlans(dsl)).hasSize(1).allMatch(plans -> plans > 0);
    }
  }

  @Test
  void claimInOrder_ofAnotherKeyAndLimitEachTime_isPlannedOnce() throws SQLException {
    RepeatedOrderedClaim<Long, Delivery> claim = LEASES.repeatedClaimInOrder(ORDERED, LONG, MOST);
    try (Connection connection = DB.connect()) {
      DSLContext dsl = TestDatabase.on(connection);
      repeat(
          i -> {
            say("key " + i, 3);
            int limit = 2 + i % 2;
            KeyWalk walk = new KeyWalk("key", limit, 2);
            assertThat(claim.claim(dsl, walk).claims().claimed()).hasSize(2);
            DB.clear();
          });
      assertThat(genericPlans(dsl)).hasSize(1).allMatch(plans -> plans > 0);
    }
  }

  /** Whatever the walk: rows, their order, and where to go on. */
  @Test
  void claimInOrder_bringsWhatTheClaimBringsThatIsMadeOnce() throws SQLException {
    say("a", 4);
    say("b", 1);
    say("c", 3);
    RepeatedOrderedClaim<Long, Delivery> again = LEASES.repeatedClaimInOrder(ORDERED, LONG, MOST);
    try (Connection connection = DB.connect()) {
      connection.setAutoCommit(false);
      DSLContext dsl = TestDatabase.on(connection);
      for (KeyWalk walk : walks()) {
        String once = told(LEASES.claimInOrder(dsl, ORDERED, LONG, walk));
        connection.rollback();
        assertThat(told(again.claim(dsl, walk))).as("%s", walk).isEqualTo(once);
        connection.rollback();
      }
    }
  }

  /** As of a host that keeps its tenants in schemas of their own. */
  @Test
  void claim_underAnotherMapping_goesToTheTablesThatThisNames() {
    RepeatedClaim<Long, Delivery> claim = LEASES.repeatedClaim(FREE, LONG, MOST);
    RepeatedOrderedClaim<Long, Delivery> inOrder = LEASES.repeatedClaimInOrder(ORDERED, LONG, MOST);
    List<Param<OffsetDateTime>> values = List.of(val(OffsetDateTime.now(ZoneOffset.UTC), DUE_AT));
    assertThat(claim.claim(DB.dsl(), FROM, values, 1).isEmpty()).isTrue();
    assertThat(inOrder.claim(DB.dsl(), KeyWalk.of(1)).claims().isEmpty()).isTrue();
    MappedSchema elsewhere = new MappedSchema().withInput("outbox").withOutput("elsewhere");
    DSLContext mapped =
        DSL.using(
            DB.pool(),
            SQLDialect.POSTGRES,
            new Settings().withRenderMapping(new RenderMapping().withSchemata(elsewhere)));
    assertThatThrownBy(() -> claim.claim(mapped, FROM, values, 1))
        .hasMessageContaining("\"elsewhere\".\"delivery\"");
    assertThatThrownBy(() -> inOrder.claim(mapped, KeyWalk.of(1)))
        .hasMessageContaining("\"elsewhere\".\"delivery\"");
    assertThat(claim.claim(DB.dsl(), FROM, values, 1).isEmpty()).isTrue();
  }

  @Test
  void claim_ofMoreThanTheMost_isRefused() {
    assertThatThrownBy(
            () ->
                LEASES
                    .repeatedClaim(FREE, LONG, MOST)
                    .claim(
                        DB.dsl(),
                        FROM,
                        List.of(val(OffsetDateTime.now(ZoneOffset.UTC), DUE_AT)),
                        MOST + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 20 rows and was asked for 21");
    assertThatThrownBy(
            () ->
                LEASES
                    .repeatedClaimInOrder(ORDERED, LONG, MOST)
                    .claim(DB.dsl(), KeyWalk.of(MOST + 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Nothing was sent");
  }

  private static List<KeyWalk> walks() {
    List<KeyWalk> walks = new ArrayList<>();
    for (String after : List.of("", "a", "b", "c")) {
      for (int limit : List.of(1, 2, 5, 8, MOST)) {
        for (int run = 1; run <= Math.min(3, limit); run++) {
          walks.add(new KeyWalk(after, limit, run));
        }
      }
    }
    return walks;
  }

  private static String told(OrderedClaims<Long, Delivery> claims) {
    return claims.claims().claimed().stream().map(Claimed::row).map(Delivery::eventId).toList()
        + " next "
        + claims.next();
  }

  private static void say(String key, int count) {
    for (int i = 1; i <= count; i++) {
      enqueue(DB.dsl(), message(key + i).orderingKey(key));
    }
  }

  private static void repeat(IntConsumer step) {
    for (int i = 0; i < ENOUGH; i++) {
      step.accept(i);
    }
  }

  /** Of each claim's text that this connection has prepared. */
  private static List<Long> genericPlans(DSLContext dsl) {
    return dsl.fetch(
            "select generic_plans from pg_prepared_statements where statement like '%claimable_r%'")
        .map(row -> row.get(0, Long.class));
  }
}
