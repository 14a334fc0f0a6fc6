package dev.fencedoutbox.opentelemetry;

import dev.fencedoutbox.relay.Attempt;
import dev.fencedoutbox.relay.DeliveryInterceptor;
import dev.fencedoutbox.relay.DeliveryOutcome;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.List;

/**
 * Opens a span around each call of a handler, whether for one delivery or for a batch. It is
 * current in the handler, and linked to the span in which each message was enqueued ({@link
 * TraceContext}); it is no child of that, which has ended long ago.
 *
 * <pre>{@code
 * Relay.from(dataSource).on(...).intercept(Tracing.by(openTelemetry)).start();
 * }</pre>
 *
 * <p>A delivery that was not delivered, or whose lease was lost, makes the span an error, with the
 * reason.
 *
 * <p>Thread-safe; one may serve many relays.
 */
public final class Tracing implements DeliveryInterceptor {

  private final Tracer tracer;

  private Tracing(Tracer tracer) {
    this.tracer = tracer;
  }

  /** Traces with a tracer named {@code dev.fencedoutbox}. */
  public static Tracing by(OpenTelemetry telemetry) {
    return by(telemetry.getTracer("dev.fencedoutbox"));
  }

  /** Traces with that tracer. */
  public static Tracing by(Tracer tracer) {
    return new Tracing(tracer);
  }

  @Override
  public List<DeliveryOutcome> around(List<Attempt> attempts, Handling next) throws Exception {
    Span span = start(attempts);
    try {
      List<DeliveryOutcome> outcomes = Context.current().with(span).wrap(next::proceed).call();
      Failures.of(attempts, outcomes).ifPresent(failures -> failures.tell(span));
      return outcomes;
    } catch (Exception | Error e) { // told and passed on
      Failures.tell(span, e);
      throw e;
    } finally {
      span.end();
    }
  }

  private Span start(List<Attempt> attempts) {
    String channel = attempts.get(0).delivery().channel().name();
    SpanBuilder builder =
        tracer
            .spanBuilder("process " + channel)
            .setSpanKind(SpanKind.CONSUMER)
            .setAllAttributes(SpanAttributes.ofCall(channel, attempts));
    for (Attempt attempt : attempts) {
      SpanContext enqueued = Span.fromContext(TraceContext.of(attempt.delivery())).getSpanContext();
      if (enqueued.isValid()) {
        builder.addLink(enqueued, SpanAttributes.ofDelivery(attempt));
      }
    }
    return builder.startSpan();
  }
}
