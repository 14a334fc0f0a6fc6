package dev.fencedoutbox.engine;

import dev.fencedoutbox.lease.Lease;

/** An answer to write. */
public record Answer(Work work, Verdict verdict) {

  /** The lease as it stands. */
  public Lease<Long> lease() {
    return work.lease();
  }

  /** Whether what was delivered after it may only be recorded after it. */
  boolean leavesItsKey() {
    return verdict instanceof Verdict.Complete || verdict instanceof Verdict.Dead;
  }
}
