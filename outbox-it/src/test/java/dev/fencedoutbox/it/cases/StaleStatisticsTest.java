package dev.fencedoutbox.it.cases;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.leases;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.Leased;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Together;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.Leases;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StaleStatisticsTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final int CLAIMERS = 5;
  private static final int LIMIT = 20;

  /** The planner sees empty tables, and then there are 100,000 rows. */
  @BeforeAll
  static void analyzeEmptyThenFill() {
    DSLContext dsl = DB.dsl();
    for (String table : List.of("outbox.message", "outbox.delivery", "shop.job")) {
      dsl.execute("alter table " + table + " set (autovacuum_enabled = off)");
      dsl.execute("analyze " + table);
    }
    dsl.execute(
        "insert into outbox.message (event_id, topic, content_type, payload_json)"
            + " select 'e' || n, 'plain', 'application/json', '{}'"
            + " from generate_series(1, 100000) n");
    dsl.transaction(
        tx -> {
          tx.dsl().execute("set local session_replication_role = replica"); // no look at messages
          tx.dsl()
              .execute(
                  "insert into outbox.delivery (message_id, channel)"
                      + " select id, 'default' from outbox.message order by id");
        });
    dsl.execute("insert into shop.job (input) select 'j' || n from generate_series(1, 100000) n");
  }

  static Stream<Arguments> joins() {
    return Stream.of(Leased.values())
        .flatMap(
            kind ->
                Stream.of(
                    Arguments.of(kind, List.of("enable_hashjoin = off")),
                    Arguments.of(kind, List.of("enable_nestloop = off")),
                    Arguments.of(kind, List.of("enable_mergejoin = off")),
                    Arguments.of(kind, List.of("enable_hashjoin = off", "enable_mergejoin = off")),
                    Arguments.of(kind, List.of("enable_hashjoin = off", "enable_nestloop = off")),
                    Arguments.of(
                        kind,
                        List.of(
                            "enable_hashjoin = off",
                            "enable_nestloop = off",
                            "enable_mergejoin = off")),
                    Arguments.of(
                        kind, List.of("enable_indexscan = off", "enable_bitmapscan = off")),
                    Arguments.of(
                        kind,
                        List.of("enable_hashjoin = off", "plan_cache_mode = force_generic_plan"))));
  }

  // Case 4
  @ParameterizedTest
  @MethodSource("joins")
  void claim_withStatisticsOfAnEmptyTable_takesNoMoreThanItsLimitAndNothingTwice(
      Leased kind, List<String> settings) {
    CyclicBarrier allHaveClaimed = new CyclicBarrier(CLAIMERS);

    List<List<Lease<Long>>> claims =
        Together.run(CLAIMERS, () -> claimTwice(kind, settings, allHaveClaimed));

    assertThat(claims).allSatisfy(claim -> assertThat(claim).hasSize(2 * LIMIT));
    assertThat(claims.stream().flatMap(List::stream).map(Lease::key)).doesNotHaveDuplicates();
  }

  /** Each transaction stays open until all have claimed; then a second claim in its own. */
  private static List<Lease<Long>> claimTwice(
      Leased kind, List<String> settings, CyclicBarrier allHaveClaimed) throws Exception {
    Leases leases = Leases.ownedBy("claimer");
    List<Lease<Long>> claimed = new ArrayList<>();
    try (Connection connection = DB.connect()) {
      DSLContext dsl = TestDatabase.on(connection);
      settings.forEach(setting -> dsl.execute("set " + setting));
      dsl.transaction(
          tx -> {
            claimed.addAll(leases(leases.claim(tx.dsl(), kind.table(), LONG, LIMIT)));
            int unused = allHaveClaimed.await(60, TimeUnit.SECONDS);
          });
      claimed.addAll(leases(leases.claim(dsl, kind.table(), LONG, LIMIT)));
    }
    return claimed;
  }
}
