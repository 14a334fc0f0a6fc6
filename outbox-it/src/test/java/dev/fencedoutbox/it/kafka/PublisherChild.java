package dev.fencedoutbox.it.kafka;

import dev.fencedoutbox.it.support.KafkaBroker;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.kafka.KafkaPublisher;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import java.util.List;

/**
 * A relay that publishes, and stands still between the broker's acknowledgement and the record of
 * it; it says so and waits to be killed. Arguments: the database's URL, and the broker's address.
 */
final class PublisherChild {

  private PublisherChild() {}

  public static void main(String[] arguments) throws InterruptedException {
    KafkaPublisher publisher = KafkaPublisher.from(KafkaBroker.patient(arguments[1])).open();
    Relay unused =
        Relay.from(TestDatabase.dataSource(arguments[0]))
            .name("killed")
            .options(RelayOptions.defaults().withLeaseFor(KafkaBroker.LEASE))
            .onAnyTopicInBatches(500, publisher)
            .intercept(
                (attempts, next) -> {
                  List<DeliveryOutcome> outcomes = next.proceed();
                  System.out.println(
                      outcomes.equals(List.of(DeliveryOutcome.delivered()))
                          ? "ACKNOWLEDGED"
                          : outcomes);
                  System.out.flush();
                  int killed = System.in.read();
                  throw new IllegalStateException("Not killed, but told " + killed);
                })
            .start();
    Thread.currentThread().join();
  }
}
