package dev.fencedoutbox.relay;

import dev.fencedoutbox.engine.Errors;
import dev.fencedoutbox.outbox.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What delivers the messages of a topic, as a batch handler over attempts; a handler of single
 * messages takes batches of one.
 *
 * @param longest what a {@link TimeBound} handler promises
 */
record Route(int mostAtOnce, BatchCall call, @Nullable Duration longest) {

  /** Delivers. */
  @FunctionalInterface
  interface BatchCall {
    List<DeliveryOutcome> deliver(List<Attempt> attempts) throws Exception;
  }

  static <T> Route plain(Function<Delivery, T> read, Handler<T> handler) {
    Objects.requireNonNull(handler, "handler");
    DecidingHandler<T> deciding =
        (payload, attempt) -> {
          handler.handle(payload, attempt);
          return DeliveryOutcome.delivered();
        };
    return new Route(1, single(read, deciding).call(), longest(handler));
  }

  static <T> Route single(Function<Delivery, T> read, DecidingHandler<T> handler) {
    Objects.requireNonNull(handler, "handler");
    return new Route(
        1,
        attempts -> {
          Attempt attempt = attempts.get(0);
          return Collections.singletonList(handler.handle(read.apply(attempt.delivery()), attempt));
        },
        longest(handler));
  }

  static <T> Route batch(int mostAtOnce, Function<Delivery, T> read, BatchHandler<T> handler) {
    Objects.requireNonNull(handler, "handler");
    return new Route(
        mostAtOnce,
        attempts -> new PartlyRead<>(attempts, read).deliver(handler),
        longest(handler));
  }

  private static @Nullable Duration longest(Object handler) {
    return handler instanceof TimeBound bound ? bound.longest() : null;
  }

  /** A payload that cannot be read fails by itself, and not the batch. */
  private static final class PartlyRead<T> {

    private final List<@Nullable DeliveryOutcome> unreadable = new ArrayList<>();
    private final List<Received<T>> readable = new ArrayList<>();

    PartlyRead(List<Attempt> attempts, Function<Delivery, T> read) {
      for (Attempt attempt : attempts) {
        try {
          readable.add(new Received<>(read.apply(attempt.delivery()), attempt));
          unreadable.add(null);
        } catch (RuntimeException e) {
          unreadable.add(DeliveryOutcome.retry(Errors.text(e)));
        }
      }
    }

    List<DeliveryOutcome> deliver(BatchHandler<T> handler) throws Exception {
      List<DeliveryOutcome> answered =
          readable.isEmpty() ? List.of() : handler.handle(List.copyOf(readable));
      boolean complete =
          answered != null
              && answered.size() == readable.size()
              && answered.stream().allMatch(Objects::nonNull);
      if (!complete) {
        throw new IllegalStateException(
            "The batch handler was given %d messages and returned %s, so nobody knows which is whose. All are tried again. Return one outcome for each message, in their order."
                .formatted(readable.size(), answered));
      }
      List<DeliveryOutcome> all = new ArrayList<>();
      int next = 0;
      for (@Nullable DeliveryOutcome failed : unreadable) {
        all.add(failed == null ? answered.get(next++) : failed);
      }
      return all;
    }
  }
}
