package dev.fencedoutbox.relay;

/**
 * How a relay ended.
 *
 * <p>Immutable and thread-safe.
 *
 * @param released deliveries that were handed back unharmed, as those that were waiting for a
 *     handler
 * @param abandoned deliveries left to their leases: their handlers did not return in time, or their
 *     answers could not be written; not what a claim brings for whose end the close did not wait
 */
public record CloseReport(int released, int abandoned) {

  /** Whether nothing was left behind. */
  public boolean isClean() {
    return abandoned == 0;
  }
}
