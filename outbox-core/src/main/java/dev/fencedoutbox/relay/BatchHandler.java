package dev.fencedoutbox.relay;

import java.util.List;

/**
 * Delivers many messages by one call, for receivers that take batches. A batch never has to be
 * full: it holds what was waiting.
 *
 * <p>Messages of one ordering key stand in their order. After one of them that was not delivered,
 * answer the later ones of its key with a retry as well, and do not send them: the relay hands them
 * back, whatever was answered.
 *
 * @param <T> the type of the topic's payload
 */
@FunctionalInterface
public interface BatchHandler<T> {

  /**
   * Delivers {@code batch}.
   *
   * @return one outcome for each message, in their order; to throw is to try all again later
   */
  List<DeliveryOutcome> handle(List<Received<T>> batch) throws Exception;
}
