package dev.fencedoutbox.notify;

import java.time.Duration;
import java.util.UUID;

/**
 * A notification to oneself, which must come in if LISTEN works here. Answered or overdue, once.
 * For one thread.
 */
final class Probe {

  static final Duration PATIENCE = Duration.ofSeconds(3);

  private final String payload = UUID.randomUUID().toString();
  private final long sentNanos;
  private boolean open = true;

  Probe(long sentNanos) {
    this.sentNanos = sentNanos;
  }

  String payload() {
    return payload;
  }

  boolean isAnsweredBy(String received) {
    boolean answered = open && received.equals(payload);
    open &= !answered;
    return answered;
  }

  boolean isOverdue(long nowNanos) {
    boolean overdue = open && nowNanos - sentNanos >= PATIENCE.toNanos();
    open &= !overdue;
    return overdue;
  }

  /** It could not be sent, so nothing is to be learned from it. */
  void giveUp() {
    open = false;
  }
}
