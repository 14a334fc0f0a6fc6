package dev.fencedoutbox.relay;

/**
 * Delivers one message of a topic. To return is to have delivered; to throw, anything, is to try
 * again later.
 *
 * <p>Called outside any transaction, by several threads at once. It is interrupted when its lease
 * is lost or its time is over, and what it then returns is dropped.
 *
 * @param <T> the type of the topic's payload
 */
@FunctionalInterface
public interface Handler<T> {

  /** Delivers {@code payload}. */
  void handle(T payload, Attempt attempt) throws Exception;
}
