package dev.fencedoutbox.lease;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Record;

/**
 * A claim that is made again and again on one database: each shape of it is built and rendered
 * once, under the settings that the host has by then.
 *
 * <p>For one thread.
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
  public record Range(Condition condition, List<String> placeholders) {}

  private record Shape(Range range, int limit) {

    /** Without the condition, which jOOQ would render for it at each claim. */
    @Override
    public int hashCode() {
      return Objects.hash(range.placeholders(), limit);
    }
  }

  private record Ready<K, V>(ClaimStatement<K, V> statement, Rendered<Record> text) {}

  private static final int MOST_SHAPES = 64;

  private final Leases leases;
  private final LeaseTable<K, V> table;
  private final ClaimTerms terms;
  private final Map<Shape, Ready<K, V>> ready = new HashMap<>();

  RepeatedClaim(Leases leases, LeaseTable<K, V> table, ClaimTerms terms) {
    this.leases = leases;
    this.table = table;
    this.terms = terms;
  }

  /** Stands in a range for a value that is another one each time. */
  public static <T> Field<T> placeholder(String name, DataType<T> type) {
    return Rendered.placeholder(name, type);
  }

  /**
   * As {@link Leases#claim}, of the rows in that range.
   *
   * @param values one for each placeholder
   */
  public Claims<K, V> claim(
      DSLContext dsl, Range range, List<? extends Param<?>> values, int limit) {
    DSLContext context = Leases.context(dsl, table);
    Ready<K, V> claim = ready(context, new Shape(range, limit));
    long sentNanos = leases.nanoTime();
    Claims<K, V> claims = claim.statement().read(claim.text().fetch(context, values), sentNanos);
    Leases.report(table, claims.buried());
    return claims;
  }

  private Ready<K, V> ready(DSLContext context, Shape shape) {
    Ready<K, V> known = ready.get(shape);
    if (known != null) {
      return known;
    }
    Range range = shape.range();
    ClaimStatement<K, V> statement =
        LeaseStatements.claim(table.where(range.condition()), terms, leases.owner(), shape.limit());
    Ready<K, V> made =
        new Ready<>(statement, Rendered.of(context, statement.query(), range.placeholders()));
    if (ready.size() == MOST_SHAPES) {
      ready.clear();
    }
    ready.put(shape, made);
    return made;
  }
}
