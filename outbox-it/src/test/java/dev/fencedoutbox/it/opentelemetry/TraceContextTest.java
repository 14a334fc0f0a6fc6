package dev.fencedoutbox.it.opentelemetry;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.opentelemetry.TraceContext;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Outbox;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TraceContextTest {

  private static final TestDatabase DB = TestDatabase.create();

  private static final SpanContext PRODUCER =
      SpanContext.create(
          "0af7651916cd43dd8448eb211c80319c",
          "b7ad6b7169203331",
          TraceFlags.getSampled(),
          TraceState.builder().put("vendor", "x1").build());

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private static Delivery claimed() {
    return Leases.ownedBy("test")
        .claim(DB.dsl(), Outbox.create().deliveries(Channel.DEFAULT), LONG, 1)
        .claimed()
        .get(0)
        .row();
  }

  @Test
  void into_withinASpan_carriesItToTheDelivery() {
    try (Scope scope = Span.wrap(PRODUCER).makeCurrent()) {
      enqueue(DB.dsl(), TraceContext.into(message("m1").header("tenant", "acme")));
    }

    Delivery delivery = claimed();

    assertThat(delivery.headers())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "tenant", "acme",
                "traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "tracestate", "vendor=x1"));
    SpanContext carried = Span.fromContext(TraceContext.of(delivery)).getSpanContext();
    assertThat(carried.getTraceId()).isEqualTo(PRODUCER.getTraceId());
    assertThat(carried.getSpanId()).isEqualTo(PRODUCER.getSpanId());
    assertThat(carried.getTraceState().get("vendor")).isEqualTo("x1");
    assertThat(carried.isSampled()).isTrue();
    assertThat(carried.isRemote()).isTrue();
  }

  @Test
  void into_withoutASpan_addsNothing() {
    Context baggageOnly = Context.root().with(Baggage.builder().put("user", "17").build());
    enqueue(DB.dsl(), TraceContext.into(TraceContext.into(message("m1"), baggageOnly)));

    Delivery delivery = claimed();

    assertThat(delivery.headers()).isEmpty();
    assertThat(Span.fromContext(TraceContext.of(delivery)).getSpanContext().isValid()).isFalse();
  }

  @Test
  void of_aMalformedHeader_hasNoSpan() {
    enqueue(DB.dsl(), message("m1").header("traceparent", "00-nonsense"));

    assertThat(Span.fromContext(TraceContext.of(claimed())).getSpanContext().isValid()).isFalse();
  }
}
