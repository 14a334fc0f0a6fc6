package dev.fencedoutbox.it.demo;

import dev.fencedoutbox.relay.RelayBuilder;

/** A relay's end of a {@link Way}; close it after the relay. */
interface Sender extends AutoCloseable {

  /** The same relay, delivering this way. */
  RelayBuilder deliver(RelayBuilder relay);

  @Override
  void close();
}
