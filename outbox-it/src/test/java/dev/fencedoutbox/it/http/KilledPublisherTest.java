package dev.fencedoutbox.it.http;

import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.http.HttpPublisher;
import dev.fencedoutbox.it.support.ChildJvm;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.relay.DeliveryOutcome.Delivered;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.Test;

/** A process dies after the receiver has answered, and before it is recorded. */
class KilledPublisherTest {

  private static final TestDatabase DB = TestDatabase.create();

  @Test
  void redelivery_afterAKill_hasTheSameIdempotencyKey_andALaterEpoch() {
    Fixtures.enqueue(DB.dsl(), message("order-17-placed"));
    try (Receiver receiver = new Receiver().answers(200).answers(200);
        ChildJvm pod =
            ChildJvm.start(
                PublishingPod.class,
                "pod",
                DB.url(),
                receiver.uri("/orders").toString(),
                "payload",
                "1")) {
      assertThat(pod.await("HOLDING ")).isEqualTo("order-17-placed");
      assertThat(pod.kill()).isEqualTo(ChildJvm.KILLED);
      assertThat(DB.dsl().fetchCount(RECEIPT)).isZero();
      Fixtures.expireDelivery(DB.dsl(), DB.dsl().fetchSingle(DELIVERY).getId());

      assertThat(new Publishing(DB).again(HttpPublisher.to(receiver.uri("/orders")).build()))
          .hasOnlyElementsOfType(Delivered.class);

      RecordedRequest first = receiver.request();
      RecordedRequest second = receiver.request();
      assertThat(first.getHeaders().get("Idempotency-Key")).isEqualTo("order-17-placed");
      assertThat(second.getHeaders().get("Idempotency-Key")).isEqualTo("order-17-placed");
      assertThat(second.getBody()).isEqualTo(first.getBody());
      assertThat(first.getHeaders().get("Outbox-Epoch")).isEqualTo("1");
      assertThat(second.getHeaders().get("Outbox-Epoch")).isEqualTo("2");
      assertThat(DB.dsl().fetchCount(RECEIPT)).isOne();
    }
  }
}
