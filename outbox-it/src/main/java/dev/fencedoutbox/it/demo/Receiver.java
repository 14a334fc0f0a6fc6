package dev.fencedoutbox.it.demo;

import java.net.URI;

/** Billing's end of a {@link Way}. */
interface Receiver extends AutoCloseable {

  /** Where relays find it; the scheme is the way. */
  URI endpoint();

  /**
   * Whether billing has taken all that was delivered.
   *
   * @throws IllegalStateException if it does not take any more
   */
  boolean isCaughtUp();

  @Override
  void close();
}
