package dev.fencedoutbox.it.proofs;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.proofs.Explained.PlanCacheMode;
import dev.fencedoutbox.it.support.Proofs;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.LeaseStatements;
import dev.fencedoutbox.operate.IdWalk;
import dev.fencedoutbox.operate.Purged;
import dev.fencedoutbox.operate.Retention;
import dev.fencedoutbox.operate.Signals;
import dev.fencedoutbox.operate.Snapshot;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.ResultQuery;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One million finished, one million due in a day, one hundred due now; a tenth of the first two in
 * the usual build.
 */
@Tag(Proofs.SHORTENED)
class MillionRowsTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final int MILLION = Proofs.effort(100_000, 1_000_000);

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
      loader.execute("alter table outbox.message drop constraint message_event_id_unique");
      loader.execute(
          "insert into outbox.message (id, created_at, event_id, topic, content_type, payload_json)"
              + " overriding system value select n, now() - interval '1 day', lpad(n::text, 8, '0'), 'plain', 'j', '1'"
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
    dsl.execute(
        "alter table outbox.message add constraint message_event_id_unique unique (event_id)");
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

  /** Of each kind it looks at 10,000 rows at the most, and says that there are more. */
  @ParameterizedTest(name = "{0}")
  @EnumSource
  void signals_ofMillions_readABoundedNumberOfPages(PlanCacheMode mode) throws SQLException {
    try (Connection connection = DB.connect()) {
      Queries queries = new Queries();
      Snapshot snapshot =
          Signals.of(Channel.DEFAULT).read(queries.listeningOn(TestDatabase.on(connection)));
      Explained read = Explained.of(connection, mode, queries.last());
      assertThat(snapshot.eligible()).isEqualTo(100);
      assertThat(snapshot.waiting()).isEqualTo(Signals.DEFAULT_LIMIT);
      assertThat(snapshot.capped()).isTrue();
      assertThat(read.nodes()).as(read.text()).doesNotContain("Seq Scan delivery");
      assertThat(read.buffers()).as(read.text()).isLessThan(1_000); // 389 when measured
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource
  void purgeOfThousand_amongMillions_walksByTheKey(PlanCacheMode mode) throws SQLException {
    try (Connection connection = DB.connect()) {
      connection.setAutoCommit(false);
      Queries queries = new Queries();
      Retention hour = Retention.olderThan(Duration.ofHours(1));
      IdWalk walk = IdWalk.of(1_000);
      Purged<IdWalk> purged =
          hour.purgeMessages(queries.listeningOn(TestDatabase.on(connection)), walk);
      connection.rollback();
      Explained purge = Explained.of(connection, mode, queries.last());
      connection.rollback();
      assertThat(purged).isEqualTo(new Purged<>(1_000, new IdWalk(1_000, 1_000)));
      assertThat(purge.nodes())
          .as(purge.text())
          .doesNotContain("Seq Scan message", "Seq Scan delivery", "Seq Scan receipt");
      assertThat(purge.buffers()).as(purge.text()).isLessThan(15_000); // 11,051 when measured
    }
  }

  /** A host's listener that keeps the statement it hears of. */
  private static final class Queries implements ExecuteListener {

    private static final long serialVersionUID = 1L;

    private transient @Nullable ResultQuery<?> last;

    DSLContext listeningOn(DSLContext host) {
      return host.configuration().deriveAppending(this).dsl();
    }

    @Override
    public void executeStart(ExecuteContext ctx) {
      last = (ResultQuery<?>) ctx.query();
    }

    ResultQuery<?> last() {
      return Objects.requireNonNull(last);
    }
  }
}
