package dev.fencedoutbox.relay;

import dev.fencedoutbox.internal.Texts;
import java.time.Duration;

/** What the relay writes about a delivery. */
sealed interface Verdict {

  /** Completed. */
  record Complete() implements Verdict {}

  /** Claimable again after a while, the attempt counted. */
  record Again(Duration after, String error) implements Verdict {

    /** With the error as it is kept. */
    @Override
    public String toString() {
      return "a retry after %s: %s".formatted(after, Texts.cleanError(error));
    }
  }

  /** DEAD. */
  record Dead(String reason) implements Verdict {

    /** With the reason as it is kept. */
    @Override
    public String toString() {
      return "DEAD: " + Texts.cleanError(reason);
    }
  }

  /** Handed back as it was. */
  record Back() implements Verdict {}

  /** Handed back for later, to a relay that can deliver it. */
  record Later() implements Verdict {}
}
