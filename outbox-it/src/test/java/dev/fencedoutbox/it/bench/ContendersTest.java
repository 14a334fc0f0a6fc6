package dev.fencedoutbox.it.bench;

import static dev.fencedoutbox.it.bench.Setting.WORKERS_PER_RELAY;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import java.sql.SQLException;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whoever is measured has done all of the work, once, and not less of it than the others. */
class ContendersTest {

  private static final int MESSAGES = 250;
  private static final int BATCH = 20;
  private static final Backlog BACKLOG = Backlog.of(MESSAGES);

  private static BenchDatabase database;
  private static DSLContext dsl;

  @BeforeAll
  static void create() throws SQLException {
    database = BenchDatabase.create(TestDatabase.createEmpty());
    dsl = database.dsl();
  }

  @AfterAll
  static void close() throws SQLException {
    database.close();
  }

  @Test
  void limit_leavesWhatARelayLeaves() throws Exception {
    Contender limit = new Limit(database, BATCH, WORKERS_PER_RELAY);
    Contender relay = new Library(database, Library.inBatchesOf(BATCH), 1);

    assertThat(leftBy(limit)).isEqualTo(leftBy(relay));
    assertThat(dsl.fetchCount(DELIVERY)).isZero();
    assertThat(dsl.fetchCount(RECEIPT, RECEIPT.EPOCH.eq(1L).and(RECEIPT.ATTEMPTS.eq(1))))
        .isEqualTo(MESSAGES);
  }

  private static String leftBy(Contender contender) throws Exception {
    contender.fill(BACKLOG);
    assertThat(dsl.fetchCount(DELIVERY)).isEqualTo(MESSAGES);
    assertThat(contender.drainNanos(MESSAGES)).isPositive();
    return dsl.fetch(
            "select delivery_id, message_id, epoch, attempts, channel from outbox.receipt order by 1")
        .formatCSV();
  }

  @Test
  void textbook_sendsEachOnce() throws Exception {
    Contender textbook = new Textbook(database, BATCH, WORKERS_PER_RELAY);
    textbook.fill(BACKLOG);

    assertThat(textbook.drainNanos(MESSAGES)).isPositive();

    assertThat(
            dsl.fetchSingle(
                    "select count(*) from textbook.outbox"
                        + " where status = 'SENT' and generation = 1 and lease_until is null")
                .get(0, Integer.class))
        .isEqualTo(MESSAGES);
  }

  @Test
  void meter_ofTheLimit_countsItsCommitsAndItsLog() throws Exception {
    Contender limit = new Limit(database, BATCH, 1);
    limit.fill(BACKLOG);

    Drain drain = new Meter(database).drain(limit, MESSAGES);

    int claims = (MESSAGES + BATCH - 1) / BATCH;
    // The server commits too, for its vacuums and statistics.
    assertThat(drain.commits()).isBetween(2L * claims, 4L * claims - 1);
    assertThat(drain.walBytesEach()).isBetween(200.0, 2_000.0);
  }
}
