package dev.fencedoutbox.relay;

import dev.fencedoutbox.outbox.Channel;
import java.util.Set;

/**
 * Is told of channels on which messages were committed.
 *
 * <p>Thread-safe.
 */
@FunctionalInterface
public interface CommitListener {

  /**
   * Called in the committing thread after the commit, so it returns at once and throws nothing: the
   * business is done.
   */
  void committed(Set<Channel> channels);
}
