package dev.fencedoutbox.opentelemetry;

import dev.fencedoutbox.internal.CheckReturnValue;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Message;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The trace in which a message was enqueued, carried in its headers {@code traceparent} and {@code
 * tracestate} as W3C Trace Context says. Baggage is not carried.
 *
 * <pre>{@code
 * outbox.enqueue(tx.dsl(), TraceContext.into(ORDER_PLACED.message(placed)));
 * }</pre>
 */
@CheckReturnValue
public final class TraceContext {

  private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();

  private TraceContext() {}

  /** The message with the headers of the current span; as it was if there is none. */
  public static Message into(Message message) {
    return into(message, Context.current());
  }

  /** The message with the headers of that context's span; as it was if it has none. */
  public static Message into(Message message, Context context) {
    Map<String, String> headers = new LinkedHashMap<>();
    W3C.inject(context, headers, (all, name, value) -> headers.put(name, value));
    Message carrying = message;
    for (Map.Entry<String, String> header : headers.entrySet()) {
      carrying = carrying.header(header.getKey(), header.getValue());
    }
    return carrying;
  }

  /** The context that the message carries, to send it on; without a span if it carries none. */
  public static Context of(Delivery delivery) {
    return W3C.extract(Context.root(), delivery.headers(), Headers.GETTER);
  }

  private enum Headers implements TextMapGetter<Map<String, String>> {
    GETTER;

    @Override
    public @Nullable String get(@Nullable Map<String, String> headers, String name) {
      return headers == null ? null : headers.get(name);
    }
  }
}
