package dev.fencedoutbox.it.labs;

import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Article 001: locks on ordering keys live in a key space of their own. */
class KeyLockTest {
  static final TestDatabase DB = TestDatabase.create();

  /** Part of the contract between versions: two of them must lock the same. */
  private static final int NAMESPACE = 0x0B0E;

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @ParameterizedTest
  @ValueSource(strings = {"customer-17", "polygenelubricants", "\uD83D\uDE00 \u00FC"})
  void enqueueUnderAKey_passesBy_everyLockOfOneArgument(String key) throws SQLException {
    int hash = key.hashCode();
    try (Connection scheduler = DB.connect();
        Connection producer = DB.connect()) {
      DSLContext locks = TestDatabase.on(scheduler);
      // The pair read as one 64-bit number, and each of its halves
      locks.execute("select pg_advisory_lock(?)", ((long) NAMESPACE << 32) | (hash & 0xFFFF_FFFFL));
      locks.execute("select pg_advisory_lock(?)", (long) hash);
      locks.execute("select pg_advisory_lock(?)", hash & 0xFFFF_FFFFL);
      locks.execute("select pg_advisory_lock(?)", (long) NAMESPACE);
      DSLContext dsl = TestDatabase.on(producer);
      // Any wait for a lock is an error then
      dsl.execute("set lock_timeout = '1s'");

      enqueue(dsl, message("event-001").orderingKey(key));

      assertThat(dsl.fetchCount(MESSAGE)).isOne();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"customer-17", "polygenelubricants", "\uD83D\uDE00 \u00FC"})
  void enqueueUnderAKey_waits_forTheLockOfTheSamePair(String key)
      throws SQLException, ExecutionException, InterruptedException {
    try (Connection holder = DB.connect()) {
      DSLContext locks = TestDatabase.on(holder);
      locks.execute("select pg_advisory_lock(?, ?)", NAMESPACE, key.hashCode());
      try (Blocked<Integer> producer = Blocked.start(DB, dsl -> enqueueUnder(key, dsl))) {
        locks.execute("select pg_advisory_unlock(?, ?)", NAMESPACE, key.hashCode());

        assertThat(producer.result()).isOne();
      }
    }
  }

  @Test
  void enqueueWithoutAKey_takesNoLock() throws SQLException {
    try (Connection producer = DB.connect()) {
      DSLContext dsl = TestDatabase.on(producer);

      dsl.transaction(
          tx -> {
            enqueue(tx.dsl(), message("event-001"));
            assertThat(heldBy(tx.dsl())).isZero();
            enqueue(tx.dsl(), message("event-002").orderingKey("customer-17"));
            assertThat(heldBy(tx.dsl())).isOne();
          });

      assertThat(heldBy(dsl)).as("after the commit").isZero();
    }
  }

  private static int enqueueUnder(String key, DSLContext dsl) {
    enqueue(dsl, message("event-001").orderingKey(key));
    return dsl.fetchCount(MESSAGE);
  }

  private static int heldBy(DSLContext dsl) {
    return dsl.fetch(
            "select 1 from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()")
        .size();
  }
}
