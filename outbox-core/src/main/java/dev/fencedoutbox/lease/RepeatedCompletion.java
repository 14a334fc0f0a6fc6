package dev.fencedoutbox.lease;

import dev.fencedoutbox.internal.KeptTexts;
import dev.fencedoutbox.internal.Rendered;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Record2;

/**
 * The completion of a table's leases in batches, again and again on one database: its statement is
 * rendered once, and again when the host's settings have changed.
 *
 * <p>For one thread.
 *
 * @param <K> the type of the table's key
 */
public final class RepeatedCompletion<K> {

  private final Leases leases;
  private final LeaseTable<K, ?> table;
  private final KeptTexts<String, Rendered<Record2<K, Long>>> texts = new KeptTexts<>();

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
    Rendered<Record2<K, Long>> statement = texts.get(context, "of many", () -> rendered(context));
    return GuardedWrite.outcomes(
        context, held, statement.fetch(context, Held.values(table.columns(), held)));
  }

  private Rendered<Record2<K, Long>> rendered(DSLContext context) {
    Held<K> any = Held.placeholders(table.columns());
    return Rendered.of(context, new FencedEffect<>(table, any).complete(), Held.PLACEHOLDERS);
  }
}
