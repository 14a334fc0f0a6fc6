package dev.fencedoutbox.it.mutants;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.leases;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.inbox.Inbox;
import dev.fencedoutbox.inbox.InboxOutcome;
import dev.fencedoutbox.it.support.ApiCall;
import dev.fencedoutbox.it.support.Leased;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Verb;
import dev.fencedoutbox.job.JobKind;
import dev.fencedoutbox.job.Jobs;
import dev.fencedoutbox.lease.KeyWalk;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.OrderedTable;
import dev.fencedoutbox.operate.Changed;
import dev.fencedoutbox.operate.DeadLetters;
import dev.fencedoutbox.operate.Operator;
import dev.fencedoutbox.operate.Selection;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.relay.DeadHeadPolicy;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import dev.fencedoutbox.testkit.LeaseMover;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Calls by which the library sends each of its statements in each of its shapes, within seconds, on
 * connections that somebody reads.
 */
final class EveryCall {

  private static final Leases LEASES = Leases.ownedBy("every");
  private static final Operator ANN = new Operator("ann", "ticket 17");
  private static final DeadLetters DEAD = DeadLetters.on(Channel.DEFAULT);
  private static final JobKind<JSONB, JSONB, JSONB> KIND = JobKind.json("every");
  private static final Jobs<JSONB, JSONB, JSONB> JOBS = Jobs.of(KIND);
  private static final List<LeaseTable<Long, ?>> TABLES =
      List.of(
          Outbox.create().deliveries(Channel.DEFAULT),
          Outbox.create().withoutReceipts().deliveries(Channel.DEFAULT),
          JOBS.table());

  private final TestDatabase database;
  private final DataSource connections;
  private final DSLContext dsl;

  private EveryCall(TestDatabase database, DataSource connections, DSLContext dsl) {
    this.database = database;
    this.connections = connections;
    this.dsl = dsl;
  }

  /** Makes them, each accepted. */
  static void on(Wire wire) throws Exception {
    TestDatabase database = TestDatabase.create();
    DataSource connections = new Wired(wire, database.url());
    try (Connection connection = connections.getConnection()) {
      EveryCall calls = new EveryCall(database, connections, TestDatabase.on(connection));
      calls.callAll();
      calls.writeUnderLeases();
      calls.applyMany();
      calls.operate();
      calls.move();
      calls.relayPastADeadHead();
      calls.relayPastALockedRow();
    }
  }

  private void callAll() {
    for (ApiCall call : ApiCall.all()) {
      database.clear();
      var prepared = call.preparation().prepare(dsl);
      dsl.transaction(tx -> prepared.accept(tx.dsl()));
    }
  }

  /** Each verb, for one lease and for several, on all of the library's tables. */
  private void writeUnderLeases() {
    for (LeaseTable<Long, ?> table : TABLES) {
      for (Verb verb : Verb.values()) {
        for (int count = 1; count <= (verb.batched() ? 2 : 1); count++) {
          if (verb != Verb.CHECKPOINT) { // its column is the table's own
            List<Lease<Long>> held = held(table, count);
            List<Boolean> accepted =
                dsl.transactionResult(tx -> verb.write(Leased.DELIVERY_ROW, tx.dsl(), held));
            assertThat(accepted).containsOnly(true);
          }
        }
      }
      Lease<Long> released = held(table, 1).get(0);
      assertThat(LEASES.release(dsl, released).accepted()).isTrue();
      assertThat(LEASES.claimByKey(dsl, table, LONG, released.key()).claimed()).hasSize(1);
    }
  }

  private List<Lease<Long>> held(LeaseTable<Long, ?> table, int count) {
    database.clear();
    for (int i = 0; i < count; i++) {
      String name = "row" + i;
      enqueue(dsl, message(name));
      dsl.transaction(
          tx -> JOBS.submit(tx.dsl(), KIND.job(JSONB.valueOf("1")).key(name)).outcome());
    }
    List<Lease<Long>> held = leases(LEASES.claim(dsl, table, LONG, count));
    assertThat(held).hasSize(count);
    return held;
  }

  private void applyMany() {
    List<InboxOutcome> outcomes =
        dsl.transactionResult(
            tx ->
                Inbox.of("billing")
                    .applyAllOnce(tx.dsl(), List.of("a", "b"), id -> id, (same, unseen) -> {}));
    assertThat(outcomes).containsOnly(InboxOutcome.APPLIED);
  }

  /** What an operator does to one delivery, and to a topic's, in its key or skipped before. */
  private void operate() {
    for (Action action : List.<Action>of(DEAD::redrive, DEAD::discard, DEAD::skip)) {
      for (boolean one : new boolean[] {true, false}) {
        Selection dead = dead(one);
        assertThat(action.on(dsl, dead, ANN)).hasSize(1);
        Selection skipped = dead(one);
        assertThat(DEAD.skip(dsl, skipped, ANN)).hasSize(1);
        List<Changed> unused = action.on(dsl, skipped, ANN);
      }
    }
  }

  private interface Action {
    List<Changed> on(DSLContext dsl, Selection selection, Operator by);
  }

  private Selection dead(boolean one) {
    database.clear();
    enqueue(dsl, message("dead").orderingKey("k"));
    OrderedTable<Long, ?> ordered = Outbox.create().orderedDeliveries(Channel.DEFAULT);
    Lease<Long> lease =
        leases(LEASES.claimInOrder(dsl, ordered, LONG, KeyWalk.of(1)).claims()).get(0);
    assertThat(LEASES.bury(dsl, lease, "no").accepted()).isTrue();
    return one ? Selection.delivery(lease.key()) : Selection.topic("plain");
  }

  private void move() {
    Lease<Long> lease = held(TABLES.get(0), 1).get(0);
    LeaseMover<Long> mover = LeaseMover.on(dsl, TABLES.get(0));
    mover.expire(lease.key());
    Lease<Long> again = leases(LEASES.claim(dsl, TABLES.get(0), LONG, 1)).get(0);
    assertThat(LEASES.retry(dsl, again, Duration.ofHours(1), "later").accepted()).isTrue();
    mover.makeDue(lease.key());
  }

  private void relayPastADeadHead() {
    database.clear();
    enqueue(dsl, message("dead").orderingKey("k"), message("next").orderingKey("k"));
    try (SteppedRelay relay =
        Relay.from(connections)
            .options(RelayOptions.defaults().withDeadHead(DeadHeadPolicy.SKIP))
            .onDeciding(PLAIN, (payload, attempt) -> DeliveryOutcome.bury("hopeless"))
            .stepByStep()) {
      assertThat(relay.runUntilEmpty()).isEqualTo(2);
    }
  }

  private void relayPastALockedRow() throws SQLException {
    database.clear();
    enqueue(dsl, message("locked"), message("free"), message("next"));
    try (SteppedRelay relay =
            Relay.from(connections)
                .options(RelayOptions.defaults().withClaimBatch(2))
                .on(PLAIN, (payload, attempt) -> {})
                .stepByStep();
        Connection other = database.connect()) {
      assertThat(relay.claim()).isEqualTo(2);
      relay.deliver();
      other.setAutoCommit(false);
      assertThat(
              TestDatabase.on(other)
                  .execute(
                      "update outbox.delivery set last_error = 'mine'"
                          + " where id = (select min(id) from outbox.delivery)"))
          .isEqualTo(1);
      assertThat(relay.record()).isFalse();
      assertThat(relay.record()).isFalse();
      other.rollback();
      assertThat(relay.record()).isTrue();
      assertThat(relay.runUntilEmpty()).isEqualTo(1);
    }
  }

  /** Connections that somebody reads. */
  private static final class Wired extends PGSimpleDataSource {
    private static final long serialVersionUID = 1;

    private final transient Wire wire;
    private final String url;

    Wired(Wire wire, String url) {
      this.wire = wire;
      this.url = url;
    }

    @Override
    public Connection getConnection() throws SQLException {
      return Objects.requireNonNull(wire.connect(url, new Properties()));
    }
  }
}
