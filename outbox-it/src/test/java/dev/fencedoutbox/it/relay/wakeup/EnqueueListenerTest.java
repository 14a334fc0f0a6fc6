package dev.fencedoutbox.it.relay.wakeup;

import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Outbox;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EnqueueListenerTest {

  private static final TestDatabase DB = TestDatabase.create();

  private final List<String> told = new ArrayList<>();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @Test
  void listener_isToldInTheTransaction_afterTheRowsAndBeforeTheCommit() {
    Thread mine = Thread.currentThread();
    Outbox outbox =
        Outbox.create()
            .telling(
                (tx, channels) -> {
                  assertThat(Thread.currentThread()).isSameAs(mine);
                  assertThat(tx.fetchCount(DELIVERY)).isEqualTo(2);
                  assertThat(DB.dsl().fetchCount(DELIVERY)).isZero();
                  told.add("once");
                });
    DB.dsl()
        .transaction(
            tx ->
                assertThat(
                        outbox.enqueue(
                            tx.dsl(), message("m").channels(Channel.of("a"), Channel.of("b"))))
                    .isEqualTo(EnqueueOutcome.CREATED));
    assertThat(told).containsExactly("once");
  }

  @Test
  void listener_isToldTheChannelsOfWhatIsNew() {
    Outbox outbox =
        Outbox.create()
            .withoutTransactionCheck()
            .telling((tx, channels) -> told.addAll(channels.stream().map(Channel::name).toList()));
    assertThat(outbox.enqueue(DB.dsl(), message("old").channel("a")))
        .isEqualTo(EnqueueOutcome.CREATED);
    told.clear();
    assertThat(
            outbox.enqueueAll(
                DB.dsl(),
                List.of(
                    message("old").channel("a"),
                    message("new").channel("b"),
                    message("newer").channels(Channel.of("b"), Channel.of("c")))))
        .hasSize(3);
    assertThat(told).containsExactlyInAnyOrder("b", "c");
    told.clear();
    assertThat(outbox.enqueueAll(DB.dsl(), List.of(message("old").channel("a")))).hasSize(1);
    assertThat(told).isEmpty();
  }

  /** Each of the other changes keeps it. */
  @Test
  void listeners_areAllTold_whateverElseIsChanged() {
    Outbox outbox =
        Outbox.create()
            .telling((tx, channels) -> told.add("first"))
            .telling((tx, channels) -> told.add("second"))
            .withoutReceipts()
            .withoutPayloadLog()
            .withoutTransactionCheck();
    assertThat(outbox.enqueue(DB.dsl(), message("m"))).isEqualTo(EnqueueOutcome.CREATED);
    assertThat(told).containsExactly("first", "second");
  }

  @Test
  void listenerThatThrows_stopsTheTransaction() {
    Outbox outbox =
        Outbox.create()
            .telling(
                (tx, channels) -> {
                  throw new UnsupportedOperationException("not now");
                });
    assertThatThrownBy(
            () ->
                DB.dsl()
                    .transaction(
                        tx -> assertThat(outbox.enqueue(tx.dsl(), message("m"))).isNotNull()))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(DB.dsl().fetchCount(DELIVERY)).isZero();
  }
}
