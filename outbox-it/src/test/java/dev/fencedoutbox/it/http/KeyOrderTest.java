package dev.fencedoutbox.it.http;

import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.http.HttpPublisher;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.schema.enums.DeliveryStatus;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Case 27: what a receiver does not take is not overtaken by what comes after it under its key. */
class KeyOrderTest {

  private static final TestDatabase DB = TestDatabase.create();

  private final Publishing publishing = new Publishing(DB);

  private static Message[] three() {
    return Stream.of("one", "two", "three")
        .map(id -> message(id).orderingKey("K"))
        .toArray(Message[]::new);
  }

  @Test
  void firstThatIsTooLarge_isBuried_andTheOthersWait() {
    try (Receiver receiver = new Receiver().answers(answer -> answer.code(413).body("too large"))) {
      HttpPublisher publisher = receiver.publisher().build();
      publishing.of(publisher, three());
      assertThat(publishing.again(publisher)).as("the key is blocked").isEmpty();

      assertThat(receiver.requests()).isOne();
      assertThat(receiver.request().getHeaders().get("Idempotency-Key")).isEqualTo("one");
      assertThat(DB.dsl().selectFrom(DELIVERY).orderBy(DELIVERY.ID).fetch(DELIVERY.STATUS))
          .containsExactly(DeliveryStatus.DEAD, DeliveryStatus.READY, DeliveryStatus.READY);
      assertThat(DB.dsl().fetchCount(RECEIPT)).isZero();
    }
  }

  @Test
  void secondThatFails_leavesTheFirstCompleted_andTheThirdUnsent() {
    try (Receiver receiver = new Receiver().answers(200).answers(503).answers(200).answers(200)) {
      HttpPublisher publisher = receiver.publisher().build();
      publishing.of(publisher, three());
      assertThat(receiver.requests()).isEqualTo(2);
      assertThat(DB.dsl().fetchCount(RECEIPT)).as("the prefix that was taken").isOne();

      publishing.later(publisher);
      publishing.later(publisher);

      assertThat(
              Stream.generate(receiver::request)
                  .limit(4)
                  .map(request -> request.getHeaders().get("Idempotency-Key")))
          .containsExactly("one", "two", "two", "three");
      assertThat(DB.dsl().fetchCount(RECEIPT)).isEqualTo(3);
    }
  }
}
