package dev.fencedoutbox.it.testkit;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencedoutbox.it.app.OrderPlaced;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.outbox.Topic;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.SteppedRelay;
import dev.fencedoutbox.testkit.EnqueuedMessage;
import dev.fencedoutbox.testkit.EnqueuedMessages;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jooq.Converter;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EnqueuedMessagesTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final Topic<String> TEXT =
      Topic.bytes(
          "text",
          "text/plain",
          Converter.of(
              byte[].class,
              String.class,
              bytes -> new String(bytes, StandardCharsets.UTF_8),
              text -> text.getBytes(StandardCharsets.UTF_8)));

  private final DSLContext dsl = DB.dsl();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private static Message order(String id) {
    return OrderPlaced.TOPIC
        .message(new OrderPlaced(id, "Ann", new BigDecimal("10.50")))
        .eventId("order-" + id);
  }

  @Test
  void message_isReadAsItWasEnqueued() {
    enqueue(
        dsl,
        order("17")
            .orderingKey("ann")
            .channels(Channel.of("shipping"), Channel.of("billing"))
            .header("trace", "a\"b")
            .after(Duration.ofMinutes(5)));

    EnqueuedMessage message =
        EnqueuedMessages.in(dsl)
            .assertOnlyEnqueued(OrderPlaced.TOPIC, placed -> placed.orderId().equals("17"));

    assertThat(message.eventId()).isEqualTo("order-17");
    assertThat(message.topic()).isEqualTo("order.placed");
    assertThat(message.orderingKey()).isEqualTo("ann");
    assertThat(message.channels()).containsExactly(Channel.of("shipping"), Channel.of("billing"));
    assertThat(message.headers()).isEqualTo(Map.of("trace", "a\"b"));
    assertThat(message.delay()).isEqualTo(Duration.ofMinutes(5));
    assertThat(message.payload(OrderPlaced.TOPIC).amount()).isEqualByComparingTo("10.50");
  }

  /** The storage order of one call is that of the event ids; the deliveries' is the given one. */
  @Test
  void messages_comeInTheOrderOfTheirEnqueues() {
    enqueue(dsl, order("b"), order("a"));
    enqueue(dsl, TEXT.message("hello").eventId("t"));

    EnqueuedMessages all = EnqueuedMessages.in(dsl);

    assertThat(all.all())
        .extracting(EnqueuedMessage::eventId)
        .containsExactly("order-b", "order-a", "t");
    assertThat(all.payloads(OrderPlaced.TOPIC))
        .extracting(OrderPlaced::orderId)
        .containsExactly("b", "a");
    assertThat(all.payloads(TEXT)).containsExactly("hello");
  }

  @Test
  void transaction_seesItsOwnMessagesBeforeItCommits_andNobodyElseDoes() {
    dsl.transaction(
        tx -> {
          assertThat(Outbox.create().enqueue(tx.dsl(), order("17")))
              .isEqualTo(EnqueueOutcome.CREATED);

          EnqueuedMessages.in(tx.dsl()).assertEnqueued(OrderPlaced.TOPIC, placed -> true);
          EnqueuedMessages.in(dsl).assertNothingEnqueued();
        });
  }

  @Test
  void deliveredMessage_isStillThere() {
    enqueue(dsl, message("e1").after(Duration.ZERO));
    try (SteppedRelay relay = Relay.from(DB.pool()).on(PLAIN, (p, attempt) -> {}).stepByStep()) {
      assertThat(relay.runUntilEmpty()).isOne();
    }

    EnqueuedMessage message = EnqueuedMessages.in(dsl).assertOnlyEnqueued(PLAIN, json -> true);

    assertThat(message.channels()).containsExactly(Channel.DEFAULT);
    assertThat(message.delay()).isZero();
  }

  @Test
  void since_leavesOutWhatWasThereBefore() {
    enqueue(dsl, order("1"));
    EnqueuedMessages before = EnqueuedMessages.in(dsl);
    EnqueuedMessages.in(dsl).since(before).assertNothingEnqueued();

    enqueue(dsl, order("2"));

    assertThat(EnqueuedMessages.in(dsl).since(before).all())
        .extracting(EnqueuedMessage::eventId)
        .containsExactly("order-2");
    assertThat(before.all()).hasSize(1);
  }

  @Test
  void assertNothingEnqueued_withAMessage_namesIt() {
    enqueue(dsl, order("17").channel("billing").orderingKey("ann").after(Duration.ofMinutes(5)));

    assertThatThrownBy(() -> EnqueuedMessages.in(dsl).assertNothingEnqueued())
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            """
            Expected no message. Enqueued:
              1. order.placed order-17 on [billing], key ann, after PT5M: {"amount": 10.50, "orderId": "17", "customer": "Ann"}""");
  }

  @Test
  void assertEnqueued_withoutAMatch_orWithTwo_fails() {
    assertThatThrownBy(() -> EnqueuedMessages.in(dsl).assertEnqueued(PLAIN, json -> true))
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            "Expected one message of topic plain with such a payload and found 0. Nothing was enqueued.");

    enqueue(dsl, order("17"), TEXT.message("hello").eventId("t"), message("e1"), message("e2"));
    EnqueuedMessages all = EnqueuedMessages.in(dsl);

    assertThatThrownBy(() -> all.assertEnqueued(TEXT, text -> text.equals("bye")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("with such a payload and found 0.")
        .hasMessageContaining("2. text t on [default]: 5 bytes");
    assertThatThrownBy(() -> all.assertEnqueued(PLAIN, json -> true))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("and found 2.");
    assertThat(all.assertEnqueued(TEXT, text -> text.equals("hello")).eventId()).isEqualTo("t");
  }

  @Test
  void assertOnlyEnqueued_withAnotherTopicsMessage_fails() {
    enqueue(dsl, order("17"), message("e1"));

    assertThatThrownBy(
            () -> EnqueuedMessages.in(dsl).assertOnlyEnqueued(OrderPlaced.TOPIC, placed -> true))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Expected no message but order-17 of topic order.placed.")
        .hasMessageContaining("2. plain e1");
  }
}
