package dev.fencedoutbox.it.demo;

import dev.fencedoutbox.it.app.OrderPlaced;
import dev.fencedoutbox.it.process.KafkaServer;
import java.net.URI;
import java.util.Map;

/** A broker, and billing as a reader of its topic. */
final class KafkaReceiver implements Receiver {

  private static final String TOPIC = OrderPlaced.TOPIC.name();
  private static final int PARTITIONS = 3;

  private final KafkaServer broker;
  private final KafkaReader reader;
  private final KafkaLag lag;

  private KafkaReceiver(KafkaServer broker, Billing billing) {
    this.broker = broker;
    reader = KafkaReader.start(broker.address(), TOPIC, billing);
    lag = new KafkaLag(broker.address(), KafkaReader.GROUP, TOPIC, PARTITIONS);
  }

  /** Starts the broker and the reader. */
  static KafkaReceiver start(Billing billing) {
    KafkaServer broker = KafkaServer.start();
    try {
      broker.createTopic(TOPIC, PARTITIONS, Map.of());
      return new KafkaReceiver(broker, billing);
    } catch (RuntimeException e) {
      broker.close();
      throw e;
    }
  }

  @Override
  public URI endpoint() {
    return URI.create("kafka://" + broker.address());
  }

  @Override
  public boolean isCaughtUp() {
    reader.requireReading();
    return lag.isNone();
  }

  @Override
  public void close() {
    try (broker;
        lag) {
      reader.close();
    }
  }
}
