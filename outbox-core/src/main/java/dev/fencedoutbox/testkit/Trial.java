package dev.fencedoutbox.testkit;

import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** One row and its first owner, for one situation. */
final class Trial<K> {

  static final Leases FIRST = Leases.ownedBy("first owner");

  private final DSLContext dsl;
  private final LeaseTable<K, ?> table;
  private final EffectUnderTest<K> effect;
  private final Lease<K> lease;

  Trial(DSLContext dsl, LeaseTable<K, ?> table, EffectUnderTest<K> effect) {
    this.dsl = dsl;
    this.table = table;
    this.effect = effect;
    K key = effect.newRow(dsl);
    this.lease =
        LeaseMover.claim(dsl, table, FIRST, key)
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "newRow returned %s, which cannot be claimed from %s: it is not there, not committed, not due or not in the table's scope."
                            .formatted(key, table)));
  }

  /** The first owner's. */
  Lease<K> lease() {
    return lease;
  }

  LeaseMover<K> mover(DSLContext on) {
    return LeaseMover.on(on, table);
  }

  Answer run(Steps steps) {
    return run(steps.of(dsl), lease);
  }

  Answer run(DSLContext on, Lease<K> by) {
    try {
      return new Answer(effect.run(on, by), null);
    } catch (Exception e) {
      return new Answer(false, e);
    }
  }

  @Nullable Object state(DSLContext on) {
    return effect.state(on, lease.key());
  }

  @Nullable Object state() {
    return state(dsl);
  }
}
