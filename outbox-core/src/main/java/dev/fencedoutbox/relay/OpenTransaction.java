package dev.fencedoutbox.relay;

import dev.fencedoutbox.outbox.Channel;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a transaction has enqueued for, until it ends. Thread-safe. */
final class OpenTransaction {

  private final @Nullable OpenTransaction outer;
  private final Set<Channel> channels = new HashSet<>();
  private boolean ended;

  OpenTransaction(@Nullable OpenTransaction outer) {
    this.outer = outer;
  }

  /** The one around it. */
  @Nullable OpenTransaction outer() {
    return outer;
  }

  synchronized void add(Set<Channel> more) {
    channels.addAll(more);
  }

  synchronized Set<Channel> channels() {
    return Set.copyOf(channels);
  }

  /** Ends it; whether it was open. */
  synchronized boolean end() {
    boolean wasOpen = !ended;
    ended = true;
    return wasOpen;
  }
}
