package dev.fencedoutbox.it.opentelemetry;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.expireDelivery;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static io.opentelemetry.api.common.AttributeKey.booleanKey;
import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.opentelemetry.TraceContext;
import dev.fencedoutbox.opentelemetry.Tracing;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.relay.BatchHandler;
import dev.fencedoutbox.relay.DecidingHandler;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayBuilder;
import dev.fencedoutbox.relay.SteppedRelay;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jooq.JSONB;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TracingTest {

  private static final TestDatabase DB = TestDatabase.create();

  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final OpenTelemetrySdk telemetry =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                  .build())
          .build();
  private final Tracer hosts = telemetry.getTracer("the host");

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @AfterEach
  void end() {
    telemetry.close();
  }

  private RelayBuilder relay() {
    return Relay.from(DB.pool()).channel("billing").intercept(Tracing.by(telemetry));
  }

  private void deliver(DecidingHandler<JSONB> handler) {
    run(relay().onDeciding(PLAIN, handler));
  }

  private void deliverInBatch(BatchHandler<JSONB> handler) {
    run(relay().onBatch(PLAIN, 10, handler));
  }

  private static void run(RelayBuilder builder) {
    try (SteppedRelay relay = builder.stepByStep()) {
      relay.claim();
      relay.deliver();
    }
  }

  /** Enqueues the message within a span of the host's, and returns that. */
  private Span produced(String eventId) {
    Span span = hosts.spanBuilder("place order").startSpan();
    try (Scope scope = span.makeCurrent()) {
      enqueue(DB.dsl(), TraceContext.into(billing(eventId)));
    } finally {
      span.end();
    }
    return span;
  }

  private static Message billing(String eventId) {
    return message(eventId).channel("billing");
  }

  private static long deliveryId() {
    return DB.dsl().select(DELIVERY.ID).from(DELIVERY).fetchSingle().value1();
  }

  private List<SpanData> spans(String name) {
    return exporter.getFinishedSpanItems().stream()
        .filter(span -> span.getName().equals(name))
        .toList();
  }

  private SpanData handling() {
    assertThat(spans("process billing")).hasSize(1);
    return spans("process billing").get(0);
  }

  @Test
  void span_ofADelivery_saysWhichAndIsLinkedToItsEnqueue() {
    Span producer = produced("order-17-placed");
    long id = deliveryId();

    deliver((payload, attempt) -> DeliveryOutcome.delivered());

    SpanData span = handling();
    assertThat(span.getKind()).isEqualTo(SpanKind.CONSUMER);
    assertThat(span.getInstrumentationScopeInfo().getName()).isEqualTo("dev.fencedoutbox");
    assertThat(span.getStatus()).isEqualTo(StatusData.unset());
    assertThat(span.hasEnded()).isTrue();
    assertThat(span.getAttributes().asMap())
        .isEqualTo(
            Attributes.builder()
                .put("messaging.system", "fenced_outbox")
                .put("messaging.operation.name", "process")
                .put("messaging.operation.type", "process")
                .put("messaging.destination.name", "billing")
                .put("messaging.message.id", "order-17-placed")
                .put("fenced_outbox.topic", "plain")
                .put("fenced_outbox.delivery.id", id)
                .put("fenced_outbox.attempt", 1)
                .put("fenced_outbox.reclaimed", false)
                .build()
                .asMap());
    assertThat(span.getLinks())
        .singleElement()
        .satisfies(link -> assertThat(spanId(link)).isEqualTo(spanId(producer)));
    assertThat(span.getTraceId())
        .as("a trace of its own")
        .isNotEqualTo(producer.getSpanContext().getTraceId());
    assertThat(span.getParentSpanContext().isValid()).isFalse();
  }

  @Test
  void span_isCurrentInTheHandler_andOverAfterIt() {
    produced("m1");
    deliver(
        (payload, attempt) -> {
          hosts.spanBuilder("post").startSpan().end();
          return DeliveryOutcome.delivered();
        });

    assertThat(spans("post"))
        .singleElement()
        .satisfies(post -> assertThat(post.getParentSpanId()).isEqualTo(handling().getSpanId()));
    assertThat(Span.current().getSpanContext().isValid()).isFalse();
  }

  @Test
  void span_ofAMessageWithoutATrace_hasNoLink() {
    enqueue(DB.dsl(), billing("m1").header("traceparent", "00-nonsense"));

    deliver((payload, attempt) -> DeliveryOutcome.delivered());

    assertThat(handling().getLinks()).isEmpty();
  }

  @Test
  void span_ofALaterAttempt_hasItsNumber() {
    produced("m1");
    deliver((payload, attempt) -> DeliveryOutcome.retryAfter(Duration.ZERO, "not now"));
    exporter.reset();

    deliver((payload, attempt) -> DeliveryOutcome.delivered());

    assertThat(handling().getAttributes().get(longKey("fenced_outbox.attempt"))).isEqualTo(2);
  }

  @Test
  void span_ofARowClaimedAgain_saysSo() {
    produced("m1");
    try (SteppedRelay dies = relay().on(PLAIN, (payload, attempt) -> {}).stepByStep()) {
      dies.claim();
      expireDelivery(DB.dsl(), deliveryId());
      deliver((payload, attempt) -> DeliveryOutcome.delivered());
    }

    assertThat(handling().getAttributes().get(booleanKey("fenced_outbox.reclaimed"))).isTrue();
  }

  @Test
  void retryAndBury_areErrorsWithTheirReasons() {
    produced("m1");
    deliver((payload, attempt) -> DeliveryOutcome.retryAfter(Duration.ZERO, "not now"));
    assertThat(handling().getStatus()).isEqualTo(StatusData.create(StatusCode.ERROR, "not now"));
    assertThat(errorType(handling())).isEqualTo("retry");
    exporter.reset();

    deliver((payload, attempt) -> DeliveryOutcome.bury("no such customer"));

    assertThat(handling().getStatus())
        .isEqualTo(StatusData.create(StatusCode.ERROR, "no such customer"));
    assertThat(errorType(handling())).isEqualTo("bury");
  }

  @Test
  void exception_isAnErrorWithItsText_andStillARetry() {
    produced("m1");
    deliver(
        (payload, attempt) -> {
          throw new java.io.IOException("connection reset");
        });

    SpanData span = handling();
    assertThat(span.getStatus())
        .isEqualTo(StatusData.create(StatusCode.ERROR, "java.io.IOException: connection reset"));
    assertThat(errorType(span)).isEqualTo("java.io.IOException");
    assertThat(span.getEvents())
        .singleElement()
        .satisfies(event -> assertThat(event.getName()).isEqualTo("exception"));
    assertThat(DB.dsl().select(DELIVERY.LAST_ERROR).from(DELIVERY).fetchSingle().value1())
        .isEqualTo("java.io.IOException: connection reset");
  }

  @Test
  void error_isToldAndTheSpanEnds() {
    produced("m1");
    deliver(
        (payload, attempt) -> {
          throw new AssertionError("broken");
        });

    assertThat(errorType(handling())).isEqualTo("java.lang.AssertionError");
  }

  @Test
  void lostLease_isAnErrorThoughTheHandlerDelivered() {
    AtomicLong nanos = new AtomicLong();
    produced("m1");
    run(
        relay()
            .nanoClock(nanos::get)
            .on(PLAIN, (payload, attempt) -> nanos.addAndGet(SECONDS.toNanos(30))));

    assertThat(errorType(handling())).isEqualTo("lost");
    assertThat(handling().getStatus().getDescription()).contains("lease was lost");
  }

  @Test
  void span_ofABatch_isLinkedToEachEnqueue() {
    List<String> producers = new ArrayList<>();
    for (String eventId : List.of("m1", "m2", "m3")) {
      producers.add(spanId(produced(eventId)));
    }
    enqueue(DB.dsl(), billing("without a trace"));

    deliverInBatch(batch -> batch.stream().map(one -> DeliveryOutcome.delivered()).toList());

    SpanData span = handling();
    assertThat(span.getStatus()).isEqualTo(StatusData.unset());
    assertThat(span.getAttributes().asMap())
        .isEqualTo(
            Attributes.builder()
                .put("messaging.system", "fenced_outbox")
                .put("messaging.operation.name", "process")
                .put("messaging.operation.type", "process")
                .put("messaging.destination.name", "billing")
                .put("messaging.batch.message_count", 4)
                .build()
                .asMap());
    assertThat(span.getLinks()).extracting(TracingTest::spanId).isEqualTo(producers);
    assertThat(span.getLinks())
        .extracting(link -> link.getAttributes().get(stringKey("messaging.message.id")))
        .containsExactly("m1", "m2", "m3");
  }

  @Test
  void batch_ofWhichSomeWereNotDelivered_isAnErrorThatSaysHowMany() {
    produced("m1");
    produced("m2");
    produced("m3");

    deliverInBatch(
        batch ->
            List.of(
                DeliveryOutcome.delivered(),
                DeliveryOutcome.bury("no such customer"),
                DeliveryOutcome.retry("not now")));

    SpanData span = handling();
    assertThat(span.getStatus())
        .isEqualTo(
            StatusData.create(
                StatusCode.ERROR, "2 of 3 were not delivered; the first, m2: no such customer"));
    assertThat(errorType(span)).isEqualTo("bury");
    assertThat(span.getAttributes().get(longKey("fenced_outbox.not_delivered"))).isEqualTo(2);
  }

  @Test
  void span_withinAnInterceptorsSpan_isItsChild() {
    produced("m1");
    run(
        relay()
            .on(PLAIN, (payload, attempt) -> {})
            .intercept(
                (attempts, next) -> {
                  Span outer = hosts.spanBuilder("outer").startSpan();
                  try (Scope scope = outer.makeCurrent()) {
                    return next.proceed();
                  } finally {
                    outer.end();
                  }
                }));

    assertThat(handling().getParentSpanId()).isEqualTo(spans("outer").get(0).getSpanId());
  }

  private static String errorType(SpanData span) {
    return String.valueOf(span.getAttributes().get(stringKey("error.type")));
  }

  private static String spanId(LinkData link) {
    return link.getSpanContext().getSpanId();
  }

  private static String spanId(Span span) {
    return span.getSpanContext().getSpanId();
  }
}
