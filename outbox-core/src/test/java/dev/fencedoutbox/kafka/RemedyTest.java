package dev.fencedoutbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.ThrottlingQuotaExceededException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.Test;

/** The table of docs/kafka.md. */
class RemedyTest {

  @Test
  void failuresOfTheRecord_buryIt() {
    assertThat(
            List.of(
                new RecordTooLargeException("x"),
                new RecordBatchTooLargeException("x"),
                new InvalidRecordException("x"),
                new InvalidTopicException("x"),
                new PolicyViolationException("x"),
                new SerializationException("x"),
                new TopicAuthorizationException("x")))
        .extracting(Remedy::of)
        .containsOnly(Remedy.BURY);
  }

  @Test
  void failuresOfTheProducer_replaceIt() {
    assertThat(
            List.of(
                new SslAuthenticationException("x"),
                new ClusterAuthorizationException("x"),
                new IllegalStateException("x"),
                new ProducerFencedException("x"),
                new TransactionalIdAuthorizationException("x"),
                new UnsupportedVersionException("x"),
                new KafkaException("in an error state", new ApiException("x")),
                new KafkaException("x") {
                  private static final long serialVersionUID = 1L;
                }))
        .extracting(Remedy::of)
        .containsOnly(Remedy.REPLACE);
  }

  @Test
  void allOthers_areRetried() {
    assertThat(
            List.of(
                new TimeoutException("x"),
                new BufferExhaustedException("x"),
                new UnknownTopicOrPartitionException("x"),
                new NotEnoughReplicasAfterAppendException("x"),
                new NetworkException("x"),
                new ThrottlingQuotaExceededException("x"),
                new OutOfOrderSequenceException("x"),
                new InvalidProducerEpochException("x"),
                new UnknownServerException("x"),
                new UnsupportedForMessageFormatException("x"),
                new UnsupportedCompressionTypeException("x"),
                new InvalidTimestampException("x"),
                new KafkaException("part of a batch with an invalid record"),
                new InvalidRecordException("Timestamp 1 of message with offset 0 is out of range"),
                new NullPointerException("of a partitioner")))
        .extracting(Remedy::of)
        .containsOnly(Remedy.RETRY);
  }
}
