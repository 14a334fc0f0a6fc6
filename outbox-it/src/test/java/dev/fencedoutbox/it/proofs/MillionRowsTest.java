package dev.fencedoutbox.it.proofs;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.proofs.Explained.PlanCacheMode;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.LeaseStatements;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One million finished, one million due in a day, one hundred due now. */
class MillionRowsTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final int MILLION = 1_000_000;

  /** Nothing is measured here, so neither log nor foreign keys are paid for. */
  @BeforeAll
  static void fill() throws SQLException {
    DSLContext dsl = DB.dsl();
    Backlog.withoutAutovacuum(dsl);
    for (String table : new String[] {"delivery", "receipt", "message"}) {
      dsl.execute("alter table outbox." + table + " set unlogged");
    }
    try (Connection connection = DB.connect()) {
      DSLContext loader = TestDatabase.on(connection);
      loader.execute("set session_replication_role = replica");
      loader.execute(
          "insert into outbox.message (id, created_at, event_id, topic, content_type, payload_json)"
              + " overriding system value select n, now() - interval '1 day', n, 'plain', 'j', '1'"
              + " from generate_series(1, ?) n",
          2 * MILLION + 100);
      loader.execute(
          "insert into outbox.receipt (message_id, delivery_id, epoch, attempts, channel,"
              + " delivered_at) select n, n, 1, 1, 'default', now() - interval '1 day'"
              + " from generate_series(1, ?) n",
          MILLION);
      loader.execute(
          "insert into outbox.delivery (id, message_id, channel, next_attempt_at) overriding system"
              + " value select n, n, 'default', now() + case when n > ? then interval '-1 hour'"
              + " else interval '1 day' end from generate_series(?, ?) n",
          2 * MILLION,
          MILLION + 1,
          2 * MILLION + 100);
    }
    dsl.execute("analyze outbox.message, outbox.delivery, outbox.receipt");
  }

  // Case 35
  @ParameterizedTest(name = "{0}")
  @EnumSource
  void claimOfHundred_besideMillionsFinishedAndNotDue_readsTheDueOnes(PlanCacheMode mode)
      throws SQLException {
    try (Connection connection = DB.connect()) {
      connection.setAutoCommit(false);
      Explained claim =
          Explained.of(
              connection,
              mode,
              LeaseStatements.claim(
                      Outbox.create().deliveries(Channel.DEFAULT), LONG, "million", 100)
                  .query());
      connection.rollback();
      assertThat(claim.rows()).isEqualTo(100);
      assertThat(claim.buffers()).as(claim.text()).isLessThan(2_500);
    }
  }
}
