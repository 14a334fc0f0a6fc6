package dev.fencedoutbox.it.relay;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import java.sql.Connection;
import java.sql.SQLException;
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

/** Whatever a database's sessions begin with, the relay's own transactions are as they must be. */
class SessionDefaultsTest {

  private static final TestDatabase DB = TestDatabase.create();

  private final Rows rows = new Rows(DB);
  private final Queue<String> delivered = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void noteWhatEachWriteRunsUnder() {
    DB.clear();
    DB.dsl().execute("create table noted(isolation text, durable text)");
    DB.dsl()
        .execute(
            """
            create function note() returns trigger language plpgsql as $$
            begin
              insert into noted values
                (current_setting('transaction_isolation'), current_setting('synchronous_commit'));
              return null;
            end $$
            """);
    DB.dsl()
        .execute(
            "create trigger note after update or delete on outbox.delivery for each statement"
                + " execute function note()");
  }

  @AfterEach
  void undo() throws SQLException {
    try (Connection admin = DB.connect()) {
      DSLContext dsl = TestDatabase.on(admin);
      dsl.execute("alter database " + name(dsl) + " reset all");
      dsl.execute("drop table noted");
      dsl.execute("drop function note() cascade");
    }
  }

  private static String name(DSLContext dsl) {
    return dsl.fetchSingle("select current_database()").get(0, String.class);
  }

  private static DataSource withDefault(String setting) throws SQLException {
    try (Connection admin = DB.connect()) {
      DSLContext dsl = TestDatabase.on(admin);
      dsl.execute("alter database " + name(dsl) + " set " + setting);
    }
    return TestDatabase.dataSource(DB.url()); // each connection begins with it
  }

  private List<String> noted(String column) {
    return DB.dsl()
        .fetch("select distinct " + column + " from noted order by 1")
        .into(String.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"repeatable read", "serializable"})
  void strongerIsolation_byDefault_isNotInherited(String isolation) throws SQLException {
    rows.addMany("m", 60);
    rows.addUnder("k", "k1", "k2", "k3");
    DataSource source = withDefault("default_transaction_isolation = '" + isolation + "'");
    RelayOptions options = RelayOptions.defaults().withConcurrency(2).withPrefetch(4);
    try (Relay one =
            Relay.from(source)
                .options(options)
                .on(PLAIN, (payload, attempt) -> delivered.add(attempt.eventId()))
                .start();
        Relay other =
            Relay.from(source)
                .options(options)
                .on(PLAIN, (payload, attempt) -> delivered.add(attempt.eventId()))
                .start()) {
      await().until(() -> one.counters().delivered() + other.counters().delivered() == 63);
      assertThat(one.counters().failedTransactions() + other.counters().failedTransactions())
          .isZero();
    }
    assertThat(delivered).hasSize(63).doesNotHaveDuplicates();
    assertThat(noted("isolation")).containsExactly("read committed");
  }

  @Test
  void commitsThatAreNotDurable_byDefault_areNotInherited() throws SQLException {
    rows.add("one");
    try (Relay relay =
        Relay.from(withDefault("synchronous_commit = off"))
            .on(PLAIN, (payload, attempt) -> delivered.add(attempt.eventId()))
            .start()) {
      await().until(() -> relay.counters().delivered() == 1);
    }
    assertThat(noted("durable")).containsExactly("on");
  }

  @Test
  void commitsThatTheHostMadeWeakerThanOn_stayAsTheyAre() throws SQLException {
    rows.add("one");
    try (Relay relay =
        Relay.from(withDefault("synchronous_commit = local"))
            .on(PLAIN, (payload, attempt) -> delivered.add(attempt.eventId()))
            .start()) {
      await().until(() -> relay.counters().delivered() == 1);
    }
    assertThat(noted("durable")).containsExactly("local");
  }
}
