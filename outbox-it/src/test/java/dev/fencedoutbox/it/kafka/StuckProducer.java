package dev.fencedoutbox.it.kafka;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A producer that fails, and whose end has to be waited for. */
final class StuckProducer extends ScriptedProducer {

  private final CountDownLatch letGo;

  StuckProducer(RuntimeException failure, CountDownLatch letGo) {
    super((producer, record) -> producer.answer(record, failure));
    this.letGo = letGo;
  }

  @Override
  public void close(Duration timeout) {
    try {
      letGo.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    super.close(timeout);
  }
}
