package dev.fencedoutbox.relay;

import dev.fencedoutbox.outbox.Channel;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The wake-up sources that a relay listens to, all or none. Thread-safe. */
final class Listeners implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

  private final List<WakeupSource.Listening> listening = new ArrayList<>();

  private Listeners() {}

  /** Listens to all of them; if one throws, to none. */
  static Listeners to(List<WakeupSource> sources, Channel channel, Runnable wake) {
    Listeners listeners = new Listeners();
    boolean all = false;
    try {
      sources.forEach(source -> listeners.listening.add(source.listen(channel, wake)));
      all = true;
      return listeners;
    } finally {
      if (!all) {
        listeners.close();
      }
    }
  }

  /** Stops listening to all of them, even if one of them throws. */
  @Override
  public void close() {
    for (WakeupSource.Listening one : listening) {
      try {
        one.close();
      } catch (RuntimeException e) {
        LOG.warn("A wake-up source could not be closed; the others are", e);
      }
    }
  }
}
