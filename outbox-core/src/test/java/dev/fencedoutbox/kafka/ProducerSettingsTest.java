package dev.fencedoutbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProducerSettingsTest {

  private static ProducerSettings with(String name, Object value) {
    return ProducerSettings.of(Map.of("bootstrap.servers", "broker:9092", name, value));
  }

  @Test
  void settings_ofWhoeverSaysNothing_waitForAllReplicas_andFitALease() {
    ProducerSettings settings = ProducerSettings.of(Map.of("bootstrap.servers", "broker:9092"));

    assertThat(settings.properties())
        .isEqualTo(
            Map.ofEntries(
                Map.entry("bootstrap.servers", "broker:9092"),
                Map.entry("acks", "all"),
                Map.entry("enable.idempotence", true),
                Map.entry("partitioner.ignore.keys", false),
                Map.entry("key.serializer", ByteArraySerializer.class),
                Map.entry("value.serializer", ByteArraySerializer.class),
                Map.entry("linger.ms", 0L),
                Map.entry("max.block.ms", 5_000L),
                Map.entry("request.timeout.ms", 8_000),
                Map.entry("delivery.timeout.ms", 10_000)));
    assertThat(settings.longest()).isEqualTo(Duration.ofSeconds(16));
    assertThatCode(() -> new ProducerConfig(settings.properties())).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "acks, 1, must be all",
    "acks, 0, must be all",
    "enable.idempotence, false, must be true",
    "partitioner.ignore.keys, true, must be false",
    "key.serializer, org.example.Strings, must be org.apache.kafka.common.serialization.ByteArraySerializer",
    "value.serializer, org.example.Strings, must be org.apache.kafka.common.serialization.ByteArraySerializer",
    "transactional.id, orders, must not be set"
  })
  void settings_thatContradict_areRefused(String name, String value, String rule) {
    assertThatThrownBy(() -> with(name, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "The producer's property %s is %s and %s".formatted(name, value, rule))
        .hasMessageEndingWith("Nothing was started. Leave it out.");
  }

  @ParameterizedTest
  @CsvSource({
    "max.block.ms, 9223372036854775807",
    "max.block.ms, -1",
    "linger.ms, 2147483648",
    "delivery.timeout.ms, 2147483647"
  })
  void times_thatNoLeaseCovers_areRefused(String name, String value) {
    assertThatThrownBy(() -> with(name, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "The producer's property %s must be between PT0S and PT24H".formatted(name));
  }

  @ParameterizedTest
  @CsvSource({
    "acks, all",
    "acks, -1",
    "enable.idempotence, true",
    "key.serializer, org.apache.kafka.common.serialization.ByteArraySerializer"
  })
  void settings_thatAgree_areTaken(String name, String value) {
    assertThatCode(() -> new ProducerConfig(with(name, value).properties()))
        .doesNotThrowAnyException();
  }

  /** Kafka refuses a delivery timeout that is shorter than the request timeout and linger. */
  @ParameterizedTest
  @CsvSource({
    "request.timeout.ms, 30000, 36",
    "delivery.timeout.ms, 2000, 8",
    "delivery.timeout.ms, 60000, 66",
    "linger.ms, 5000, 19",
    "max.block.ms, 1000, 12"
  })
  void oneTimeout_ofTheHosts_movesTheOthers(String name, String value, long longestSeconds) {
    ProducerSettings settings = with(name, value);

    assertThat(settings.properties()).containsEntry(name, value);
    assertThat(settings.longest()).isEqualTo(Duration.ofSeconds(longestSeconds));
    assertThatCode(() -> new ProducerConfig(settings.properties())).doesNotThrowAnyException();
  }

  @Test
  void settings_asProperties_areTakenAsWell() {
    Properties properties = new Properties();
    properties.setProperty("bootstrap.servers", "broker:9092");
    properties.setProperty("compression.type", "lz4");

    assertThat(ProducerSettings.of(properties).properties())
        .containsEntry("compression.type", "lz4");
  }

  @Test
  @SuppressWarnings("NullAway") // a host without nullness checks can do it
  void nothing_isAsIfItWereNotGiven() {
    Map<String, Object> properties = new HashMap<>();
    properties.put("acks", null);
    assertThat(ProducerSettings.of(properties).properties()).containsEntry("acks", "all");
  }

  @Test
  void name_thatIsNoText_isRefused() {
    assertThatThrownBy(() -> ProducerSettings.of(Map.of(17, "x")))
        .hasMessage(
            "The name of a producer's property must be text and is 17. Nothing was started.");
  }
}
