package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.SwitchableDataSource;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.relay.Pacing;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayBuilder;
import dev.fencedoutbox.relay.RelayOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Case 30: whatever happens to the database, the relay tries on with measure, and resumes. */
class DatabaseFaultsTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Rows rows = new Rows(DB);
  private final Queue<String> delivered = new ConcurrentLinkedQueue<>();
  private final SwitchableDataSource source = new SwitchableDataSource(DB.pool());

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @AfterEach
  void mendAll() throws SQLException {
    DB.renewPool();
    try (Connection admin = DB.connect()) {
      DSLContext dsl = TestDatabase.on(admin);
      dsl.execute("set default_transaction_read_only = off");
      readOnly(dsl, "off");
      dsl.execute("drop function if exists fail() cascade");
      dsl.execute("drop sequence if exists failures");
    }
  }

  private RelayBuilder relay(DataSource from) {
    return Relay.from(from)
        .options(
            RelayOptions.defaults()
                .withPacing(Pacing.defaults().withSweepEvery(Duration.ofMillis(300))))
        .on(PLAIN, (payload, attempt) -> delivered.add(attempt.eventId()));
  }

  private static void readOnly(DSLContext dsl, String onOrOff) {
    String name = dsl.fetchSingle("select current_database()").get(0, String.class);
    dsl.execute("alter database " + name + " set default_transaction_read_only = " + onOrOff);
  }

  /** Of all but the connection that does it. */
  private static int terminateAll(DSLContext dsl) {
    return dsl.fetch(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname ="
                + " current_database() and pid <> pg_backend_pid() and backend_type = 'client"
                + " backend'")
        .size();
  }

  @Test
  void readOnlyDatabase_isWaitedFor() throws SQLException {
    try (Connection admin = DB.connect();
        Relay relay = relay(DB.pool()).start()) {
      DSLContext dsl = TestDatabase.on(admin);
      rows.add("before");
      await().until(() -> relay.counters().delivered() == 1);
      readOnly(dsl, "on");
      terminateAll(dsl);
      await().atMost(PATIENCE).until(() -> relay.counters().failedTransactions() >= 2);
      dsl.execute("set default_transaction_read_only = off");
      readOnly(dsl, "off");
      terminateAll(dsl);
      await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> rows.add("after"));
      await().atMost(PATIENCE).until(() -> relay.counters().delivered() == 2);
    }
    assertThat(delivered).containsExactly("before", "after");
  }

  @Test
  void terminatedBackends_costNoMessage() throws SQLException {
    rows.addMany("m", 200);
    try (Connection admin = DB.connect();
        Relay relay =
            relay(DB.pool())
                .options(
                    RelayOptions.defaults()
                        .withLeaseFor(Duration.ofSeconds(2)) // an answer of a claim may be lost
                        .withConcurrency(2)
                        .withPrefetch(4)
                        .withPacing(Pacing.defaults().withSweepEvery(Duration.ofMillis(300))))
                .start()) {
      for (int kill = 1; kill <= 3; kill++) {
        int many = kill * 50;
        await().atMost(PATIENCE).until(() -> delivered.size() >= many);
        await().atMost(PATIENCE).until(() -> terminateAll(TestDatabase.on(admin)) > 0);
      }
      await().atMost(PATIENCE).until(() -> TestDatabase.on(admin).fetchCount(RECEIPT) == 200);
    }
    assertThat(delivered).contains("m0", "m199");
  }

  @ParameterizedTest
  @ValueSource(strings = {"40P01", "40001"})
  void conflicts_areRepeatedUntilTheyAreOver(String sqlState) {
    DB.dsl().execute("create sequence failures");
    DB.dsl()
        .execute(
            """
            create function fail() returns trigger language plpgsql as $$
            begin
              if nextval('failures') <= 4 then -- a sequence counts what is rolled back, too
                raise exception 'in the way' using errcode = '%s';
              end if;
              return null;
            end $$
            """
                .formatted(sqlState));
    rows.addMany("m", 20);
    DB.dsl()
        .execute(
            "create trigger fail after update or delete on outbox.delivery for each statement"
                + " execute function fail()");
    try (Relay relay = relay(DB.pool()).start()) {
      await().atMost(PATIENCE).until(() -> relay.counters().delivered() == 20);
      assertThat(relay.counters().failedTransactions()).isEqualTo(4);
    }
    assertThat(delivered).hasSize(20).doesNotHaveDuplicates();
  }

  @Test
  void conflicts_ofARecord_doNotDeliverAgain() {
    DB.dsl().execute("create sequence failures");
    DB.dsl()
        .execute(
            """
            create function fail() returns trigger language plpgsql as $$
            begin
              if nextval('failures') <= 3 then
                raise exception 'in the way' using errcode = '40001';
              end if;
              return null;
            end $$
            """);
    rows.addMany("m", 20);
    DB.dsl()
        .execute(
            "create trigger fail after delete on outbox.delivery for each statement execute"
                + " function fail()");
    try (Relay relay = relay(DB.pool()).start()) {
      await().atMost(PATIENCE).until(() -> relay.counters().delivered() == 20);
      assertThat(relay.counters().failedTransactions()).isGreaterThanOrEqualTo(3);
      assertThat(relay.counters().claimed()).isEqualTo(20);
    }
    assertThat(delivered).hasSize(20).doesNotHaveDuplicates();
  }

  @Test
  void server_thatFallsSilentInTheMiddleOfATransaction_isGivenUpAfterALease() throws SQLException {
    rows.add("silent");
    DB.dsl()
        .execute(
            """
            create function fail() returns trigger language plpgsql as $$
            begin
              perform pg_sleep(3600);
              return null;
            end $$
            """);
    DB.dsl()
        .execute(
            "create trigger fail after update on outbox.delivery for each row when (new.id = "
                + rows.of("silent").getId()
                + ") execute function fail()");
    try (Connection admin = DB.connect();
        Relay relay =
            relay(source)
                .options(
                    RelayOptions.defaults()
                        .withLeaseFor(Duration.ofMillis(1_500))
                        .withPacing(Pacing.defaults().withSweepEvery(Duration.ofMillis(300))))
                .start()) {
      await().atMost(PATIENCE).until(() -> relay.counters().failedTransactions() >= 1);
      rows.add("other"); // that transaction still has the row of the first
      await().atMost(PATIENCE).until(() -> delivered.contains("other"));
      TestDatabase.on(admin)
          .fetch(
              "select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'"
                  + " and datname = current_database()");
    }
    assertThat(delivered).containsExactly("other");
  }

  @Test
  void records_thatAreForbiddenAsAWhole_arePacedAndNothingMoreIsClaimed_untilTheyAreAllowed() {
    rows.addMany("m", 40);
    DB.dsl().execute("alter table outbox.receipt rename to elsewhere");
    RelayOptions roomForMore =
        RelayOptions.defaults()
            .withConcurrency(50)
            .withPacing(Pacing.defaults().withSweepEvery(Duration.ofMillis(300)));
    try (Relay relay = relay(DB.pool()).options(roomForMore).start()) {
      await().atMost(PATIENCE).until(() -> relay.counters().failedTransactions() > 50);
      rows.add("later");
      long failed = relay.counters().failedTransactions();
      await().atMost(PATIENCE).until(() -> relay.counters().failedTransactions() > failed + 10);
      assertThat(relay.counters().claimed()).isEqualTo(40);
      DB.dsl().execute("alter table outbox.elsewhere rename to receipt");
      await().atMost(PATIENCE).until(() -> relay.counters().delivered() == 41);
      assertThat(relay.counters().abandoned()).isZero();
    }
    assertThat(delivered).hasSize(41);
  }

  @Test
  void lostDatabase_isAskedLessAndLessOften_andFoundAgain() {
    try (Relay relay = relay(source).start()) {
      rows.add("before");
      await().until(() -> relay.counters().delivered() == 1);
      source.breakDown();
      await().atMost(PATIENCE).until(() -> source.refusedAtNanos().size() >= 5);
      List<Long> refused = source.refusedAtNanos();
      // 200, 400 and 800 ms or more, a fifth of jitter off; the first may be the second half of a
      // claim whose first half has had an answer, which is repeated at once
      assertThat(Duration.ofNanos(refused.get(4) - refused.get(1)))
          .isGreaterThan(Duration.ofSeconds(1));
      source.mend();
      rows.add("after");
      await().atMost(PATIENCE).until(() -> relay.counters().delivered() == 2);
    }
    assertThat(delivered).containsExactly("before", "after");
  }

  @Test
  void database_thatIsNotThereAtTheStart_isWaitedFor() {
    source.breakDown();
    try (Relay relay = relay(source).start()) {
      await().until(() -> source.refusedAtNanos().size() >= 2);
      rows.add("one");
      source.mend();
      await().atMost(PATIENCE).until(() -> relay.counters().delivered() == 1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"error", "runtime"})
  void dataSource_thatThrowsAnything_losesNoAnswer(String kind) {
    rows.addMany("m", 10);
    try (Relay relay =
        Relay.from(source)
            .on(
                PLAIN,
                (payload, attempt) -> {
                  if (delivered.isEmpty()) {
                    source.breakWith(
                        () ->
                            kind.equals("error")
                                ? new NoClassDefFoundError("driver/Part")
                                : new IllegalStateException("no secret"));
                  }
                  delivered.add(attempt.eventId());
                })
            .start()) {
      await().atMost(PATIENCE).until(() -> source.refusedAtNanos().size() >= 3);
      source.mend();
      await().atMost(PATIENCE).until(() -> relay.counters().delivered() == 10);
      assertThat(relay.counters().claimed()).isEqualTo(10);
    }
    assertThat(delivered).hasSize(10);
  }
}
