package dev.fencedoutbox.relay;

/**
 * A {@link Handler} that says itself what became of the delivery.
 *
 * @param <T> the type of the topic's payload
 */
@FunctionalInterface
public interface DecidingHandler<T> {

  /** Delivers {@code payload}. */
  DeliveryOutcome handle(T payload, Attempt attempt) throws Exception;
}
