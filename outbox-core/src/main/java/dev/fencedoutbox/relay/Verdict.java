package dev.fencedoutbox.relay;

import java.time.Duration;

/** What the relay writes about a delivery. */
sealed interface Verdict {

  /** Completed. */
  record Complete() implements Verdict {}

  /** Claimable again after a while, the attempt counted. */
  record Again(Duration after, String error) implements Verdict {}

  /** DEAD. */
  record Dead(String reason) implements Verdict {}

  /** Handed back as it was. */
  record Back() implements Verdict {}

  /** Handed back for later, to a relay that has a handler for it. */
  record Later() implements Verdict {}
}
