package dev.fencedoutbox.it.http;

import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.http.HttpPublisher;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Backoff;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayBuilder;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import dev.fencedoutbox.schema.enums.DeliveryStatus;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Enqueues, publishes by a relay's steps, and tells what the publisher answered to the relay. */
final class Publishing {

  private final TestDatabase database;

  Publishing(TestDatabase database) {
    this.database = database;
  }

  /** What became of one small message. */
  DeliveryOutcome of(HttpPublisher publisher) {
    return of(publisher, Fixtures.message("event-1")).get(0);
  }

  /** What became of those that were handed to the publisher, in order; all of it is recorded. */
  List<DeliveryOutcome> of(HttpPublisher publisher, Message... messages) {
    database.clear();
    Fixtures.enqueue(database.dsl(), messages);
    return again(publisher);
  }

  /** The same of what is due. */
  List<DeliveryOutcome> again(HttpPublisher publisher) {
    List<DeliveryOutcome> outcomes = new ArrayList<>();
    try (SteppedRelay relay = relay(publisher, outcomes).stepByStep()) {
      relay.claim();
      relay.deliver();
      assertThat(relay.record()).isTrue();
    }
    return outcomes;
  }

  /** The same of what is left, whose pause is over. */
  List<DeliveryOutcome> later(HttpPublisher publisher) {
    database
        .dsl()
        .update(DELIVERY)
        .set(DELIVERY.NEXT_ATTEMPT_AT, OffsetDateTime.now(ZoneOffset.UTC).minusHours(1))
        .where(DELIVERY.STATUS.eq(DeliveryStatus.READY))
        .execute();
    return again(publisher);
  }

  /** What failed is not due again while the test lasts. */
  RelayBuilder relay(HttpPublisher publisher, List<DeliveryOutcome> outcomes) {
    return Relay.from(database.pool())
        .options(RelayOptions.defaults().withBackoff(Backoff.fixed(Duration.ofHours(1))))
        .onAnyTopic(publisher)
        .intercept(
            (attempts, next) -> {
              List<DeliveryOutcome> answered = next.proceed();
              outcomes.addAll(answered);
              return answered;
            });
  }

  /** The reason of a retry or of a burial; that of the retry stands in the row as well. */
  String reason(DeliveryOutcome outcome) {
    String reason =
        outcome instanceof DeliveryOutcome.Retry retry
            ? retry.reason()
            : ((DeliveryOutcome.Bury) outcome).reason();
    assertThat(database.dsl().fetchSingle(DELIVERY).getLastError()).isEqualTo(reason);
    return reason;
  }

  static List<DeliveryOutcome> outcomes() {
    return new CopyOnWriteArrayList<>();
  }
}
