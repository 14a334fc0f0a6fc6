package dev.fencedoutbox.lease;

import dev.fencedoutbox.internal.KeptTexts;
import dev.fencedoutbox.internal.Rendered;
import java.util.ArrayList;
import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Record;

/**
 * A claim that is made again and again on one database: for each range it is built and rendered
 * once, and again when the host's settings have changed.
 *
 * <p>Thread-safe.
 *
 * @param <K> the type of the table's key
 * @param <V> what is handed out with each lease
 */
public final class RepeatedClaim<K, V> {

  /**
   * Which of the table's rows a claim may take.
   *
   * @param condition the same each time, with a {@link #placeholder} for each value that is not
   * @param placeholders their names, in their order
   */
  public record Range(Condition condition, List<String> placeholders) {

    /** Without the condition, which jOOQ would render for it at each claim. */
    @Override
    public int hashCode() {
      return placeholders.hashCode();
    }
  }

  private record Ready<K, V>(ClaimStatement<K, V> statement, Rendered<Record> text) {}

  private final Leases leases;
  private final LeaseTable<K, V> table;
  private final ClaimTerms terms;
  private final RowLimit limit;
  private final KeptTexts<Range, Ready<K, V>> texts = new KeptTexts<>();

  RepeatedClaim(Leases leases, LeaseTable<K, V> table, ClaimTerms terms, int most) {
    this.leases = leases;
    this.table = table;
    this.terms = terms;
    this.limit = RowLimit.upTo(LeaseStatements.requireLimit(most));
  }

  /** Stands in a range for a value that is another one each time. */
  public static <T> Field<T> placeholder(String name, DataType<T> type) {
    return Rendered.hiddenPlaceholder(name, type);
  }

  /**
   * As {@link Leases#claim}, of the rows in that range.
   *
   * @param values one for each placeholder
   * @param most 1 to the most rows of one claim
   * @throws IllegalArgumentException if {@code most} is out of its bounds, or there are more or
   *     fewer values than placeholders; nothing was sent
   */
  public Claims<K, V> claim(
      DSLContext dsl, Range range, List<? extends Param<?>> values, int most) {
    if (values.size() != range.placeholders().size()) {
      throw new IllegalArgumentException(
          "The range has the placeholders %s and was given %d values. Nothing was sent. Pass one for each."
              .formatted(range.placeholders(), values.size()));
    }
    DSLContext context = Leases.context(dsl, table);
    Ready<K, V> claim = texts.get(context, range, () -> rendered(context, range));
    List<Param<?>> all = new ArrayList<>(values);
    all.add(limit.value(most));
    long sentNanos = leases.nanoTime();
    Claims<K, V> claims = claim.statement().read(claim.text().fetch(context, all), sentNanos);
    Leases.report(table, claims.buried());
    return claims;
  }

  private Ready<K, V> rendered(DSLContext context, Range range) {
    ClaimStatement<K, V> statement =
        new ClaimStatement<>(table, terms, leases.owner(), range.condition(), limit);
    List<String> placeholders = new ArrayList<>(range.placeholders());
    placeholders.add(RowLimit.PLACEHOLDER);
    return new Ready<>(statement, Rendered.of(context, statement.query(), placeholders));
  }
}
