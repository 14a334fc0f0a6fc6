package dev.fencedoutbox.kafka;

import java.util.List;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** What helps against a failure; docs/kafka.md has it as a table. */
enum Remedy {
  /** Nothing: the record will never be taken. */
  BURY,
  /** Time. */
  RETRY,
  /** Another producer: this one is dead for ever, or may be. */
  REPLACE;

  private static final List<Class<? extends Exception>> OF_THE_RECORD =
      List.of(
          RecordTooLargeException.class,
          RecordBatchTooLargeException.class,
          InvalidRecordException.class,
          InvalidTopicException.class,
          PolicyViolationException.class,
          SerializationException.class,
          TopicAuthorizationException.class);

  private static final List<Class<? extends Exception>> OF_THE_PRODUCER =
      List.of(
          AuthenticationException.class,
          ClusterAuthorizationException.class,
          IllegalStateException.class, // closed, by whomever
          ProducerFencedException.class,
          TransactionalIdAuthorizationException.class,
          UnsupportedVersionException.class);

  static Remedy of(Exception failure) {
    if (isAny(OF_THE_RECORD, failure) && !isOfTheClock(failure)) {
      return BURY;
    }
    return isAny(OF_THE_PRODUCER, failure) || isOfTheClient(failure) ? REPLACE : RETRY;
  }

  private static boolean isAny(List<Class<? extends Exception>> kinds, Exception failure) {
    return kinds.stream().anyMatch(kind -> kind.isInstance(failure));
  }

  /**
   * A timestamp that is out of the broker's range is of the host's clock, and the next attempt has
   * another. Of several in one batch the client only gets this text.
   */
  private static boolean isOfTheClock(Exception failure) {
    return String.valueOf(failure.getMessage()).startsWith("Timestamp ");
  }

  /**
   * Kafka says by a bare {@code KafkaException} with a cause that the producer is in an error
   * state, and by one without that a record was refused for another one of its batch.
   */
  private static boolean isOfTheClient(Exception failure) {
    boolean collateral = failure.getClass() == KafkaException.class && failure.getCause() == null;
    return failure instanceof KafkaException && !(failure instanceof ApiException) && !collateral;
  }
}
