package dev.fencedoutbox.it.guards;

import static dev.fencedoutbox.it.guards.Guarded.LEASES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.operate.IdWalk;
import dev.fencedoutbox.operate.InboxWalk;
import dev.fencedoutbox.operate.Retention;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which rows each purge removes. */
class PurgeGuardsTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Retention DAY = Retention.olderThan(Duration.ofDays(1));

  /** A purge, over two rows that are numbered 1 and 2 by {@code number}. */
  enum Purge {
    MESSAGES("outbox.message", "created_at", "event_id", "row"),
    OPERATOR_ACTIONS("outbox.operator_action", "acted_at", "event_id", "e"),
    INBOX("outbox.inbox", "received_at", "event_id", "e");

    final String table;
    final String since;
    final String name;
    final String prefix;

    Purge(String table, String since, String name, String prefix) {
      this.table = table;
      this.since = since;
      this.name = name;
      this.prefix = prefix;
    }

    /** Adds three old rows. */
    void add(DSLContext dsl) {
      switch (this) {
        case MESSAGES -> {
          var leases = Guarded.DELIVERY.claimed(dsl, 3);
          assertThat(LEASES.completeAll(dsl, leases)).hasSize(3);
          execute("update outbox.receipt set delivered_at = now() - interval '2 days'");
        }
        case OPERATOR_ACTIONS ->
            execute(
                "insert into outbox.operator_action (delivery_id, message_id, epoch, attempts, verb,"
                    + " event_id, topic, channel, who, why) select n, n, 1, 1, 'DISCARD', 'e' || n,"
                    + " 't', 'c', 'ann', 'why' from generate_series(0, 2) n");
        case INBOX ->
            execute(
                "insert into outbox.inbox (consumer, event_id) select 'c' || n % 2, 'e' || n"
                    + " from generate_series(0, 2) n");
      }
      execute("update %s set %s = now() - interval '2 days'".formatted(table, since));
    }

    /** How many rows it removed. */
    int run(DSLContext dsl) {
      return switch (this) {
        case MESSAGES -> DAY.purgeMessages(dsl, IdWalk.of(10)).rows();
        case OPERATOR_ACTIONS -> DAY.purgeOperatorActions(dsl, IdWalk.of(10)).rows();
        case INBOX -> DAY.purgeInbox(dsl, InboxWalk.of(10)).rows();
      };
    }

    /** The rows that are left. */
    List<String> left() {
      return DB.dsl()
          .fetch("select %1$s from %2$s order by 1".formatted(name, table))
          .into(String.class);
    }
  }

  private static void execute(String sql) {
    assertThat(DB.dsl().execute(sql)).isPositive();
  }

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @ParameterizedTest
  @EnumSource
  void purge_besideALockedRow_passesItByWithoutWaiting(Purge purge) throws Exception {
    purge.add(DB.dsl());
    String first = purge.prefix + "0";
    try (Connection other = DB.connect();
        Connection impatient = DB.connect()) {
      other.setAutoCommit(false);
      String lock = "select 1 from %s where %s = ? for update".formatted(purge.table, purge.name);
      assertThat(TestDatabase.on(other).fetch(lock, first)).hasSize(1);
      TestDatabase.on(impatient).execute("set lock_timeout = '100ms'");

      assertThat(purge.run(TestDatabase.on(impatient))).isEqualTo(2);
      other.rollback();
    }
    assertThat(purge.left()).containsExactly(first);
  }

  @ParameterizedTest
  @EnumSource
  void purge_besideARowThatIsNotOld_leavesItAlone(Purge purge) {
    purge.add(DB.dsl());
    execute(
        "update %s set %s = now() where %s = '%s1'"
            .formatted(purge.table, purge.since, purge.name, purge.prefix));

    assertThat(purge.run(DB.dsl())).isEqualTo(2);

    assertThat(purge.left()).containsExactly(purge.prefix + "1");
  }
}
