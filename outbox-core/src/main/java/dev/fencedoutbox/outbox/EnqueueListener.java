package dev.fencedoutbox.outbox;

import java.util.Set;
import org.jooq.DSLContext;

/**
 * Is told of what an {@link Outbox} enqueues, such as to wake a relay after the commit.
 *
 * <p>Thread-safe, if the outbox is used by several threads.
 */
@FunctionalInterface
public interface EnqueueListener {

  /**
   * Called in the enqueuing thread when deliveries were created, and before their transaction ends:
   * it may still roll back. Duplicates alone are not told. What it throws reaches the caller of the
   * enqueue.
   *
   * @param tx the context that the enqueue was given
   * @param channels where there will be deliveries; one or more
   */
  void enqueued(DSLContext tx, Set<Channel> channels);

  /** This one, and then that one. */
  default EnqueueListener andThen(EnqueueListener next) {
    return (tx, channels) -> {
      enqueued(tx, channels);
      next.enqueued(tx, channels);
    };
  }
}
