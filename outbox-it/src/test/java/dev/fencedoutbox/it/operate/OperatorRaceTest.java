package dev.fencedoutbox.it.operate;

import static dev.fencedoutbox.it.operate.Dead.buried;
import static dev.fencedoutbox.it.operate.Dead.deliveryOf;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.OPERATOR_ACTION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Together;
import dev.fencedoutbox.operate.Changed;
import dev.fencedoutbox.operate.DeadLetters;
import dev.fencedoutbox.operate.Operator;
import dev.fencedoutbox.operate.Selection;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.schema.enums.DeliveryStatus;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operators that meet each other, and an enqueue, on one delivery or one key. */
class OperatorRaceTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final DeadLetters DEAD = DeadLetters.on(Channel.DEFAULT);
  private static final Operator ANN = new Operator("ann", "ticket 17");

  @BeforeEach
  void clear() {
    DB.clear();
  }

  /** The redrive has seen the row in its key; once it gets the row, its key has gone on. */
  @Test
  void redrive_thatWaitedForASkip_goesToTheTail() throws Exception {
    long old = buried(DB.dsl(), message("k1").orderingKey("k")).get(0);
    enqueue(DB.dsl(), message("k2").orderingKey("k"));

    List<Changed> redriven =
        whileOpen(
            skip -> assertThat(DEAD.skip(skip, Selection.delivery(old), ANN)).hasSize(1),
            dsl -> DEAD.redrive(dsl, Selection.delivery(old), ANN));

    assertThat(redriven).hasSize(1);
    assertThat(redriven.get(0).newDeliveryId()).isGreaterThan(deliveryOf(DB.dsl(), "k2"));
    assertThat(deliveryOf(DB.dsl(), "k1")).isEqualTo(redriven.get(0).newDeliveryId());
  }

  @Test
  void discard_thatWaitedForARedrive_leavesTheReadyDeliveryAlone() throws Exception {
    long id = buried(DB.dsl(), message("e1")).get(0);

    List<Changed> discarded =
        whileOpen(
            tx -> assertThat(DEAD.redrive(tx, Selection.delivery(id), ANN)).hasSize(1),
            dsl -> DEAD.discard(dsl, Selection.delivery(id), ANN));

    assertThat(discarded).isEmpty();
    assertThat(DB.dsl().selectFrom(DELIVERY).fetchSingle().getStatus())
        .isEqualTo(DeliveryStatus.READY);
    assertThat(DB.dsl().fetchCount(OPERATOR_ACTION)).isEqualTo(1);
  }

  @Test
  void skip_thatWaitedForARedrive_leavesTheReadyDeliveryInItsKey() throws Exception {
    long id = buried(DB.dsl(), message("k1").orderingKey("k")).get(0);

    List<Changed> skipped =
        whileOpen(
            tx -> assertThat(DEAD.redrive(tx, Selection.delivery(id), ANN)).hasSize(1),
            dsl -> DEAD.skip(dsl, Selection.delivery(id), ANN));

    assertThat(skipped).isEmpty();
    assertThat(DB.dsl().selectFrom(DELIVERY).fetchSingle().getOrderingKey()).isEqualTo("k");
  }

  @Test
  void redriveOfAll_besideARowThatAnotherChanges_passesItBy() {
    List<Long> ids = buried(DB.dsl(), message("e1"), message("e2"), message("e3"));

    DB.dsl()
        .transaction(
            other -> {
              assertThat(DEAD.discard(other.dsl(), Selection.delivery(ids.get(1)), ANN)).hasSize(1);
              assertThat(DEAD.redrive(DB.dsl(), Selection.all(), ANN))
                  .extracting(Changed::eventId)
                  .containsExactly("e1", "e3");
            });
  }

  /** Ids grow in commit order within a key: the open enqueue's is smaller and comes first. */
  @Test
  void redriveOfASkipped_besideAnOpenEnqueueOfItsKey_waitsAndComesAfterIt() throws Exception {
    long old = buried(DB.dsl(), message("k1").orderingKey("k")).get(0);
    assertThat(DEAD.skip(DB.dsl(), Selection.all(), ANN)).hasSize(1);

    List<Changed> redriven =
        whileOpen(
            tx -> enqueue(tx, message("k2").orderingKey("k")),
            dsl -> DEAD.redrive(dsl, Selection.delivery(old), ANN));

    assertThat(redriven.get(0).newDeliveryId()).isGreaterThan(deliveryOf(DB.dsl(), "k2"));
  }

  @Test
  void redrive_byManyAtOnce_changesEachDeliveryOnce() {
    int count = 200;
    buried(
        DB.dsl(),
        IntStream.range(0, count)
            .mapToObj(i -> i % 2 == 0 ? message("m" + i) : message("m" + i).orderingKey("k" + i))
            .toArray(Message[]::new));
    assertThat(DEAD.skip(DB.dsl(), Selection.all(), ANN)).hasSize(count / 2);

    List<List<Changed>> all = Together.run(4, () -> DEAD.redrive(DB.dsl(), Selection.all(), ANN));
    List<Changed> rest = DEAD.redrive(DB.dsl(), Selection.all(), ANN);

    assertThat(all.stream().mapToInt(List::size).sum() + rest.size()).isEqualTo(count);
    assertThat(DB.dsl().fetchCount(DELIVERY)).isEqualTo(count);
    assertThat(DB.dsl().fetchCount(DELIVERY, DELIVERY.ORDERING_KEY.isNotNull()))
        .isEqualTo(count / 2);
    assertThat(Dead.claimed(DB.dsl())).hasSize(count);
  }

  /** Runs {@code second} while {@code first} is not committed, and demands that it waits. */
  private static <T> T whileOpen(Consumer<DSLContext> first, Function<DSLContext, T> second)
      throws Exception {
    try (Together together = new Together();
        Connection waiting = DB.connect()) {
      DSLContext dsl = TestDatabase.on(waiting);
      int pid = Together.pid(dsl);
      Future<T> result =
          DB.dsl()
              .transactionResult(
                  tx -> {
                    first.accept(tx.dsl());
                    Future<T> started = together.start(() -> second.apply(dsl));
                    Together.awaitBlocked(DB.dsl(), pid);
                    return started;
                  });
      return Objects.requireNonNull(Together.resultOf(result));
    }
  }
}
