package dev.fencedoutbox.relay;

import dev.fencedoutbox.outbox.Channel;

/**
 * Tells a relay that there may be work, so that it need not wait for its next poll. Polling always
 * suffices: a source may be late, silent or wrong.
 */
@FunctionalInterface
public interface WakeupSource {

  /**
   * Calls {@code wake}, from any thread, whenever there may be work on the channel, until the
   * returned handle is closed. {@code wake} returns at once.
   */
  Listening listen(Channel channel, Runnable wake);

  /** A source that is listened to. */
  interface Listening extends AutoCloseable {

    /** Stops it. */
    @Override
    void close();
  }
}
