package dev.fencedoutbox.it.http;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencedoutbox.http.HttpPublisher;
import dev.fencedoutbox.it.support.SwitchableDataSource;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.relay.Attempt;
import dev.fencedoutbox.relay.BatchHandler;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.Handler;
import dev.fencedoutbox.relay.Received;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayBuilder;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.TimeBound;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jooq.JSONB;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A handler that knows how long it lasts is not started under leases that may end before it. */
class TimeBoundTest {

  private static final Duration TEN = Duration.ofSeconds(10);
  private static final HttpPublisher PUBLISHER =
      HttpPublisher.to(URI.create("http://localhost/")).timeout(TEN).build();

  /** No database: nothing may ask for one. */
  private final SwitchableDataSource nowhere =
      new SwitchableDataSource(TestDatabase.dataSource("jdbc:postgresql://localhost:1/none"));

  private RelayBuilder relay(Duration lease) {
    return Relay.from(nowhere).options(RelayOptions.defaults().withLeaseFor(lease));
  }

  private record Plain() implements Handler<JSONB>, TimeBound {
    @Override
    public void handle(JSONB payload, Attempt attempt) {}

    @Override
    public Duration longest() {
      return TEN;
    }
  }

  private record Batch() implements BatchHandler<JSONB>, TimeBound {
    @Override
    public List<DeliveryOutcome> handle(List<Received<JSONB>> batch) {
      return List.of();
    }

    @Override
    public Duration longest() {
      return TEN;
    }
  }

  static Stream<UnaryOperator<RelayBuilder>> ways() {
    return Stream.of(
        relay -> relay.onDeciding(PLAIN, PUBLISHER.typed()),
        relay -> relay.on(PLAIN, new Plain()),
        relay -> relay.onBatch(PLAIN, 5, new Batch()));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void handlerOfATopic_thatMayOutlastALease_isRefused(UnaryOperator<RelayBuilder> way) {
    nowhere.breakDown();

    assertThatThrownBy(() -> way.apply(relay(TEN)).start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "The handler of topic plain may be at work for PT10S and leases last PT10S, so what it"
                + " has under way could run beside its successor. Nothing was started. Give it a"
                + " shorter timeout, or the relay longer leases (RelayOptions.withLeaseFor).");
    assertThatThrownBy(() -> way.apply(relay(TEN)).stepByStep())
        .hasMessageContaining("Nothing was started");
    assertThat(nowhere.refusedAtNanos()).as("the database was not asked").isEmpty();
    assertThatCode(() -> way.apply(relay(TEN.plusMillis(1))).stepByStep())
        .doesNotThrowAnyException();
  }

  @Test
  void handlerOfAnyTopic_thatMayOutlastALease_isRefused() {
    // The options may come after the handler
    RelayBuilder relay =
        Relay.from(nowhere)
            .onAnyTopic(PUBLISHER)
            .options(RelayOptions.defaults().withLeaseFor(Duration.ofSeconds(5)));

    assertThatThrownBy(relay::start)
        .hasMessageContaining("any topic may be at work for PT10S and leases last PT5S");
  }
}
