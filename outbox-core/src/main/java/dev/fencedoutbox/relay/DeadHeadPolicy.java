package dev.fencedoutbox.relay;

/** What a DEAD delivery does to the later ones of its ordering key. */
public enum DeadHeadPolicy {
  /** They wait until somebody redrives, skips or discards it. */
  BLOCK,
  /** It leaves its key as it is buried, and they go on; redriven, it comes after them. */
  SKIP
}
