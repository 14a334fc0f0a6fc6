package dev.fencedoutbox.internal;

import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.systemName;
import static org.jooq.impl.DSL.unnest;
import static org.jooq.impl.DSL.val;

import java.util.Objects;
import java.util.stream.Stream;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record1;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * The advisory locks under which deliveries of an ordering key get their ids, so that ids grow in
 * commit order within a key. Whoever adds a delivery with a key takes the key's lock first.
 */
public final class KeyLocks {

  /**
   * The first half of each lock; with two arguments they live in a space of their own, apart from
   * every lock that an application takes with one (article 001).
   */
  static final int NAMESPACE = 0x0B0E;

  /** The most ordering keys of one statement; a server has room for about 10,000 locks. */
  public static final int MAX_KEYS = 1_000;

  /** How many locks were taken, a column of {@link #locked}. */
  public static final Field<Integer> LOCKS = inline(0).as("locks");

  private KeyLocks() {}

  /** A number for each key, sorted, so that two statements take their locks in one order. */
  public static Integer[] hashes(Stream<? extends @Nullable String> keys) {
    return keys.filter(Objects::nonNull)
        .map(String::hashCode)
        .distinct()
        .sorted()
        .toArray(Integer[]::new);
  }

  /** Takes the locks, to the end of the transaction. */
  public static CommonTableExpression<Record1<Integer>> locked(Integer[] hashes) {
    return locked(val(hashes));
  }

  /** The same of an array that the statement itself brings along. */
  public static CommonTableExpression<Record1<Integer>> locked(Field<Integer[]> hashes) {
    Table<?> keys = unnest(hashes).as("key_hashes", "key_hash");
    Field<String> lock =
        function(
                systemName("pg_advisory_xact_lock"),
                SQLDataType.CLOB,
                inline(NAMESPACE),
                Objects.requireNonNull(keys.field(0, SQLDataType.INTEGER)))
            .cast(SQLDataType.CLOB);
    return name("locked_keys").asMaterialized(select(count(lock).as(LOCKS)).from(keys));
  }

  /** Always true, and not known before all locks are there. */
  public static Condition taken(CommonTableExpression<Record1<Integer>> locked) {
    return Columns.column(locked, LOCKS).ge(inline(0));
  }
}
