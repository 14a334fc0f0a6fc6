package dev.fencedoutbox.outbox;

import static dev.fencedoutbox.house.ApprovedSql.assertApproved;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencedoutbox.inbox.Inbox;
import dev.fencedoutbox.schema.Tables;
import dev.fencedoutbox.schema.enums.DeliveryStatus;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jooq.Converter;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a message refuses before anything is sent, and the statement that stores it. */
class MessageTest {

  private static final Topic<JSONB> TOPIC =
      Topic.json(
          "order.placed", Converter.of(JSONB.class, JSONB.class, json -> json, json -> json));
  private static final Message MESSAGE = TOPIC.message(JSONB.valueOf("{}")).eventId("e1");

  @Test
  void enqueue() {
    assertApproved("enqueue-one", Outbox.statement(List.of(MESSAGE)));
    assertApproved("enqueue-many", Outbox.statement(List.of(MESSAGE, MESSAGE.eventId("e2"))));
    assertApproved("enqueue-ordered", Outbox.statement(List.of(MESSAGE.orderingKey("17"))));
  }

  @Test
  void inbox() {
    assertApproved("inbox", Inbox.of("billing").statement("e1"));
    assertApproved("inbox-many", Inbox.of("billing").statement(List.of("e1", "e2")));
  }

  @Test
  void textOfMany_doesNotDependOnTheirNumber() {
    List<Message> two = List.of(MESSAGE, MESSAGE.eventId("e2"));
    List<Message> three = List.of(MESSAGE, MESSAGE.eventId("e2"), MESSAGE.eventId("e3"));
    assertThat(Outbox.statement(two).getSQL()).isEqualTo(Outbox.statement(three).getSQL());
  }

  @ParameterizedTest
  @CsvSource({"PT-0.001S", "PT8760H0.001S"})
  void delay_outOfBounds_isRefused(Duration delay) {
    assertThatThrownBy(() -> MESSAGE.after(delay))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("after must be between PT0S and PT8760H and is %s. Nothing was sent.", delay);
  }

  @Test
  void names_areChecked() {
    refused(() -> MESSAGE.eventId(""), "An event id must have 1 to 255 characters and is empty.");
    refused(() -> MESSAGE.orderingKey("\u0000"), "An ordering key has U+0000 at index 0");
    refused(() -> MESSAGE.channel(""), "A channel's name must have 1 to 255");
    refused(() -> MESSAGE.header("", "v"), "A header's name must have 1 to 255");
    refused(() -> MESSAGE.header("trace", "\uD800"), "Header trace has U+D800 at index 0");
    refused(
        () -> MESSAGE.channels(new Channel[0]),
        "A message needs a channel to be delivered on, and none was given.");
  }

  @Test
  void payload_isChecked() {
    refused(
        () -> TOPIC.message(JSONB.valueOf("{")),
        "The payload is not JSON that PostgreSQL can store:");
    Topic<String> none =
        Topic.json("none", Converter.ofNullable(JSONB.class, String.class, j -> "", s -> null));
    refused(() -> none.message("x"), "The payload of topic none is null or converts to null.");
  }

  @Test
  void payload_longerThanItsLimit_isRefused() {
    int longest = 64 * 1024 * 1024;
    Topic<byte[]> bytes =
        Topic.bytes(
            "bytes", "text/plain", Converter.of(byte[].class, byte[].class, b -> b, b -> b));
    assertThat(bytes.message(new byte[longest]).payload()).isInstanceOf(Payload.Bytes.class);
    refused(
        () -> bytes.message(new byte[longest + 1]),
        "The payload has %,d bytes and may have %,d.".formatted(longest + 1, longest));
    refused(
        () -> TOPIC.message(JSONB.valueOf(" ".repeat(longest + 1))),
        "The payload has %,d characters and may have %,d.".formatted(longest + 1, longest));
  }

  @Test
  void withers_leaveTheOriginalAlone() {
    Message changed = MESSAGE.channel("billing").header("a", "b").after(Duration.ofDays(1));
    assertThat(MESSAGE.channels()).containsExactly(Channel.DEFAULT);
    assertThat(MESSAGE.headers()).isEmpty();
    assertThat(MESSAGE.delay()).isZero();
    assertThat(changed.eventId()).isEqualTo("e1");
    assertThat(changed).hasToString("message e1 of topic order.placed on [billing]");
  }

  @ParameterizedTest
  @EnumSource(DeliveryStatus.class)
  void delivery_isHandedOutOnlyInProgress(DeliveryStatus status) {
    Record row = DSL.using(SQLDialect.POSTGRES).newRecord(Delivery.FIELDS.toArray(new Field<?>[0]));
    row.set(Tables.DELIVERY.ID, 17L);
    row.set(Tables.DELIVERY.STATUS, status);
    if (status == DeliveryStatus.INPROGRESS) {
      assertThat(Delivery.claimed(row).id()).isEqualTo(17);
    } else {
      assertThatThrownBy(() -> Delivery.claimed(row))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("A claim returned delivery 17 as " + status);
    }
  }

  private static void refused(ThrowingCallable call, String start) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(start)
        .hasMessageContaining("Nothing was sent.");
  }
}
