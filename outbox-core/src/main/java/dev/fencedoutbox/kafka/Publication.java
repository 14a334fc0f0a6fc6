package dev.fencedoutbox.kafka;

import dev.fencedoutbox.relay.Attempt;
import dev.fencedoutbox.relay.DeliveryOutcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One call of the publisher: sends what is in turn, and hears the broker. For one thread. */
final class Publication {

  /** What a call of {@code send} takes at the most unless it has to wait. */
  private static final Duration BRIEF = Duration.ofSeconds(1);

  private static final DeliveryOutcome NOT_ACKNOWLEDGED =
      DeliveryOutcome.retry("Kafka had not acknowledged it when the wait ended; it may arrive.");

  private final Producer<byte[], byte[]> producer;
  private final Records records;
  private final Duration longest;
  private final List<Sending> all;
  private final BlockingQueue<Sending> answers = new LinkedBlockingQueue<>();
  private final Map<String, String> blockedTopics = new HashMap<>();
  private final Queue<Sending> underWay = new ArrayDeque<>(); // those begun first come first
  private long blockedNanos;
  private boolean waited;
  private String whyNotSent = "one before it of its ordering key was not delivered.";
  private @Nullable String death;

  Publication(
      Producer<byte[], byte[]> producer,
      Records records,
      Duration longest,
      List<Attempt> attempts) {
    this.producer = producer;
    this.records = records;
    this.longest = longest;
    this.all = Sending.of(attempts);
  }

  /** Sends them; one outcome each. */
  List<DeliveryOutcome> outcomes() {
    try {
      publish();
    } catch (InterruptedException | InterruptException e) {
      whyNotSent = "the publisher was interrupted.";
      answers.forEach(this::settle); // what was acknowledged by now
      Thread.currentThread().interrupt();
    }
    return all.stream()
        .map(one -> one.outcomeOr(one.isBegun() ? NOT_ACKNOWLEDGED : notSent(whyNotSent)))
        .toList();
  }

  /** Why the producer is of no use any more, if so. */
  Optional<String> deathOfProducer() {
    return Optional.ofNullable(death);
  }

  private void publish() throws InterruptedException {
    Queue<Sending> inTurn = Sending.firstOfEachKey(all);
    while (!inTurn.isEmpty() || oldestUnderWay() != null) {
      Sending next = inTurn.poll();
      if (next != null) {
        begin(next);
      } else {
        Sending answered = awaitAnswer();
        if (answered == null) {
          death = "It has not answered within " + longest;
          return;
        }
        Sending follower = settle(answered) ? answered.next() : null;
        if (follower != null) {
          inTurn.add(follower);
        }
      }
    }
  }

  private @Nullable Sending oldestUnderWay() {
    while (!underWay.isEmpty() && underWay.element().isSettled()) {
      underWay.remove();
    }
    return underWay.peek();
  }

  /** Null if the oldest record under way has not been answered in time. */
  private @Nullable Sending awaitAnswer() throws InterruptedException {
    waited = true;
    long oldest = System.nanoTime() - underWay.element().begunNanos();
    return answers.poll(longest.toNanos() - oldest, TimeUnit.NANOSECONDS);
  }

  private void begin(Sending sending) {
    if (!sending.attempt().isHeld()) {
      sending.settle(notSent("its lease is lost."));
    } else if (blockedNanos >= longest.toNanos()) {
      sending.settle(notSent("the producer has blocked for " + longest + "."));
    } else if (waited && sending.attempt().trustLeft().compareTo(longest) < 0) {
      sending.settle(notSent("its lease might not have lasted."));
    } else {
      send(sending);
    }
  }

  /**
   * Whatever the host's functions throw, the destination's and a partitioner's, is one failed
   * attempt.
   */
  private void send(Sending sending) {
    try {
      ProducerRecord<byte[], byte[]> record = records.of(sending.attempt());
      String blocked = blockedTopics.get(record.topic());
      if (blocked == null) {
        send(sending, record);
      } else {
        sending.settle(DeliveryOutcome.retry("Not sent after " + blocked));
      }
    } catch (InterruptException e) {
      throw e;
    } catch (RuntimeException e) {
      if (sending.isBegun()) {
        answer(sending, e);
      } else {
        sending.settle(DeliveryOutcome.retry(String.valueOf(e)));
      }
    }
  }

  private void send(Sending sending, ProducerRecord<byte[], byte[]> record) {
    sending.begin(record.topic(), System.nanoTime());
    underWay.add(sending);
    Future<RecordMetadata> unused =
        producer.send(record, (metadata, failure) -> answer(sending, failure));
    long took = System.nanoTime() - sending.begunNanos();
    if (took > BRIEF.toNanos()) {
      blockedNanos += took;
      waited = true;
    }
    // The producer knew no such topic, or had no room, and blocked: it would do so again
    if (sending.failure() instanceof TimeoutException timeout) {
      blockedTopics.put(record.topic(), sending.reason(timeout));
      waited = true;
    }
  }

  private void answer(Sending sending, @Nullable Exception failure) {
    sending.answered(failure);
    answers.add(sending);
  }

  /** Whether it is delivered, which nothing that the producer says later changes. */
  private boolean settle(Sending answered) {
    if (answered.isSettled()) {
      return false; // by a callback, though the call has thrown as well
    }
    Exception failure = answered.failure();
    if (failure == null) {
      answered.settle(DeliveryOutcome.delivered());
      return true;
    }
    String reason = answered.reason(failure);
    switch (Remedy.of(failure)) {
      case BURY -> answered.settle(DeliveryOutcome.bury(reason));
      case RETRY -> answered.settle(DeliveryOutcome.retry(reason));
      case REPLACE -> {
        answered.settle(DeliveryOutcome.retry(reason));
        death = reason;
      }
    }
    return false;
  }

  private static DeliveryOutcome notSent(String why) {
    return DeliveryOutcome.release("Not sent: " + why);
  }
}
