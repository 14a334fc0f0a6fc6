package dev.fencedoutbox.lease;

import dev.fencedoutbox.internal.Rendered;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Record2;
import org.jspecify.annotations.Nullable;

/**
 * The completion of a table's leases in batches, again and again on one database: its statement is
 * rendered once, under the settings that the host has by then.
 *
 * <p>For one thread.
 *
 * @param <K> the type of the table's key
 */
public final class RepeatedCompletion<K> {

  private final Leases leases;
  private final LeaseTable<K, ?> table;
  private @Nullable Rendered<Record2<K, Long>> ofMany;

  RepeatedCompletion(Leases leases, LeaseTable<K, ?> table) {
    this.leases = leases;
    this.table = table;
  }

  /**
   * As {@link Leases#completeAll}.
   *
   * @throws IllegalArgumentException if one is on another table
   */
  public List<LeaseOutcome> completeAll(DSLContext dsl, List<Lease<K>> held) {
    if (held.size() < 2) {
      return leases.completeAll(dsl, held); // another text, and a short one
    }
    if (!GuardedWrite.requireOneTable(held).table().columns().equals(table.columns())) {
      throw new IllegalArgumentException(
          "The %s is not on the table of this completion, %s. Nothing was sent."
              .formatted(held.get(0), table));
    }
    DSLContext context = Leases.context(dsl, table);
    Rendered<Record2<K, Long>> statement = ofMany;
    if (statement == null) {
      Held<K> any = Held.placeholders(table.columns());
      statement =
          Rendered.of(context, new FencedEffect<>(table, any).complete(), Held.PLACEHOLDERS);
      ofMany = statement;
    }
    return GuardedWrite.outcomes(
        context, held, statement.fetch(context, Held.values(table.columns(), held)));
  }
}
