package dev.fencedoutbox.lease;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import java.util.List;
import java.util.Objects;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.ResultQuery;
import org.jooq.impl.DSL;

/**
 * The text of a typed statement under one host's settings, to be sent again with other values. All
 * that stays is in the text, and what changes is hidden from the planner's guesses by {@link
 * #placeholder}: so the plans for these values and for any are rated alike, and the server soon
 * keeps one instead of planning each time, which takes a third of a claim.
 *
 * <p>Immutable and thread-safe.
 *
 * @param sql what jOOQ rendered of the statement, and nobody wrote by hand
 * @param fields what it returns
 */
record Rendered<R extends Record>(String sql, List<Field<?>> fields) {

  /**
   * Renders it.
   *
   * @param placeholders the names of its placeholders, in their order, each in it once
   */
  static <R extends Record> Rendered<R> of(
      DSLContext context, ResultQuery<R> query, List<String> placeholders) {
    List<String> found =
        context.extractParams(query).values().stream()
            .map(Param::getParamName)
            .filter(Objects::nonNull)
            .toList();
    if (!found.equals(placeholders)) {
      throw new IllegalStateException(
          "The statement was rendered with the placeholders %s in place of %s. Nothing was sent. Does a listener change it?"
              .formatted(found, placeholders));
    }
    return new Rendered<>(context.renderNamedOrInlinedParams(query), List.of(query.fields()));
  }

  /** Stands in a statement for a value that is another one each time. */
  static <T> Field<T> placeholder(String name, DataType<T> type) {
    return field(select(param(name, type).cast(type)));
  }

  /** Sends it with these values, in the order of the placeholders. */
  @SuppressWarnings("unchecked") // the fields are those of the statement
  Result<R> fetch(DSLContext context, List<? extends Param<?>> values) {
    return (Result<R>)
        context.fetch(
            DSL.resultQuery(sql, values.toArray()).coerce(fields.toArray(Field<?>[]::new)));
  }
}
