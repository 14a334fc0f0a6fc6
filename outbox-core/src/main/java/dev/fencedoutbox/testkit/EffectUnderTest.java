package dev.fencedoutbox.testkit;

import dev.fencedoutbox.lease.Lease;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * An application's own effect, as {@link FencedEffectCheck} needs to see it. It is called from
 * several threads, though never twice for one lease.
 *
 * @param <K> the type of the leased table's key
 */
public interface EffectUnderTest<K> {

  /** Adds a row that can be claimed, commits it, and returns its key. */
  K newRow(DSLContext dsl);

  /**
   * The application's code: writes the effect under that lease, through that context or in
   * transactions that it opens on it. Have it write something that tells claims apart, such as the
   * epoch.
   *
   * @return whether the effect took place; what is thrown means that it did not
   */
  boolean run(DSLContext dsl, Lease<K> lease) throws Exception;

  /** What the effect has left behind for that row, as a value that {@code equals} compares. */
  @Nullable Object state(DSLContext dsl, K key);
}
