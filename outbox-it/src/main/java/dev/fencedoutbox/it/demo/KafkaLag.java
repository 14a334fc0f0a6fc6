package dev.fencedoutbox.it.demo;

import static java.util.stream.Collectors.toMap;

import dev.fencedoutbox.it.process.KafkaServer;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** How far a consumer group is behind a topic, as the broker knows it. */
final class KafkaLag implements AutoCloseable {

  private final Admin admin;
  private final String group;
  private final Map<TopicPartition, OffsetSpec> ends;

  KafkaLag(String brokers, String group, String topic, int partitions) {
    admin = Admin.create(Map.of("bootstrap.servers", brokers));
    this.group = group;
    ends =
        IntStream.range(0, partitions)
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .collect(toMap(partition -> partition, partition -> OffsetSpec.latest()));
  }

  /** Whether the group has committed the offsets of all records. */
  boolean isNone() {
    Map<TopicPartition, OffsetAndMetadata> committed =
        KafkaServer.await(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
    Map<TopicPartition, ListOffsetsResultInfo> last =
        KafkaServer.await(admin.listOffsets(ends).all());
    return last.entrySet().stream()
        .allMatch(end -> end.getValue().offset() == offset(committed, end.getKey()));
  }

  private static long offset(
      Map<TopicPartition, OffsetAndMetadata> committed, TopicPartition partition) {
    OffsetAndMetadata offset = committed.get(partition);
    return offset == null ? 0 : offset.offset();
  }

  @Override
  public void close() {
    admin.close();
  }
}
