package dev.fencedoutbox.lease;

/**
 * The number of a claim. Each committed claim of a row gets the next one; a renewal keeps it, and
 * no number comes back, so an old one can never look current again. (A claim that was rolled back
 * is none: its number goes to the next claim, and its lease must be thrown away. The same holds
 * where the database itself forgets a commit: asynchronous replication after a failover, or {@code
 * synchronous_commit = off} after a crash.) It is an order among claims of one row, not a secret:
 * whoever can write to the table can write any epoch.
 *
 * <p>Immutable and thread-safe.
 *
 * <p>Source: the articles' <i>generation</i>, <i>lease token</i> and <i>epoch</i>.
 *
 * @param value 1 or more
 */
public record Epoch(long value) implements Comparable<Epoch> {

  /**
   * @throws IllegalArgumentException if {@code value} is less than 1
   */
  public Epoch {
    if (value < 1) {
      throw new IllegalArgumentException("An epoch starts at 1 and is " + value + ".");
    }
  }

  @Override
  public int compareTo(Epoch other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
