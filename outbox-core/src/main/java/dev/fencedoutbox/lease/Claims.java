package dev.fencedoutbox.lease;

import java.util.List;
import java.util.Optional;

/**
 * What a claim brought: rows to work on, in the order of their keys, and rows that it buried.
 *
 * <p>Immutable and thread-safe.
 *
 * @param claimed may be empty
 * @param buried may be empty; {@link Leases} has logged each as an error
 */
public record Claims<K, V>(List<Claimed<K, V>> claimed, List<Buried<K>> buried) {

  /** Copies both lists. */
  public Claims {
    claimed = List.copyOf(claimed);
    buried = List.copyOf(buried);
  }

  /** The first claimed row, for claims of one. */
  public Optional<Claimed<K, V>> first() {
    return claimed.stream().findFirst();
  }

  /** Whether nothing was claimed; there may be burials all the same. */
  public boolean isEmpty() {
    return claimed.isEmpty();
  }
}
