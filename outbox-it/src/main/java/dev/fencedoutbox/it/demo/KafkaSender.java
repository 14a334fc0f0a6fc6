package dev.fencedoutbox.it.demo;

import dev.fencedoutbox.kafka.KafkaPublisher;
import dev.fencedoutbox.relay.RelayBuilder;
import java.util.Map;

/** Publishes events to the Kafka topic that is named like theirs. */
final class KafkaSender implements Sender {

  private final KafkaPublisher publisher;

  /** Together, and with a second more, shorter than {@link BillingRelay#LEASE}. */
  KafkaSender(String brokers) {
    publisher =
        KafkaPublisher.from(
                Map.of(
                    "bootstrap.servers", brokers, "max.block.ms", 800, "delivery.timeout.ms", 1000))
            .open();
  }

  @Override
  public RelayBuilder deliver(RelayBuilder relay) {
    return relay.onAnyTopicInBatches(BillingRelay.CAPACITY, publisher);
  }

  @Override
  public void close() {
    publisher.close();
  }
}
