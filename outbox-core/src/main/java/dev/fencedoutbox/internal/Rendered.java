package dev.fencedoutbox.internal;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.raw;
import static org.jooq.impl.DSL.select;

import java.util.ArrayList;
import java.util.List;
import org.jooq.Context;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.ResultQuery;
import org.jooq.impl.CustomQueryPart;
import org.jooq.impl.DSL;

/**
 * The text of a typed statement under one host's settings, to be sent again with other values:
 * building and rendering it takes jOOQ longer than to send it.
 *
 * <p>Immutable and thread-safe.
 *
 * @param pieces what jOOQ rendered of the statement, and nobody wrote by hand: a text before each
 *     placeholder, and one after the last
 * @param placeholders their names, in their order
 * @param fields what it returns
 */
public record Rendered<R extends Record>(
    List<String> pieces, List<String> placeholders, List<Field<?>> fields) {

  /** Around a placeholder's name; no text that PostgreSQL reads can contain it. */
  private static final String MARK = "\0";

  /** Renders it. All that is no placeholder stays in the text. */
  public static <R extends Record> Rendered<R> of(DSLContext context, ResultQuery<R> query) {
    String[] parts = context.renderInlined(query).split(MARK, -1);
    List<String> pieces = new ArrayList<>();
    List<String> placeholders = new ArrayList<>();
    for (int i = 0; i < parts.length; i++) {
      (i % 2 == 0 ? pieces : placeholders).add(parts[i]);
    }
    return new Rendered<>(List.copyOf(pieces), List.copyOf(placeholders), List.of(query.fields()));
  }

  /**
   * Renders it.
   *
   * @param placeholders the names of its placeholders, in their order, each in it once
   */
  public static <R extends Record> Rendered<R> of(
      DSLContext context, ResultQuery<R> query, List<String> placeholders) {
    Rendered<R> rendered = of(context, query);
    if (!rendered.placeholders().equals(placeholders)) {
      throw new IllegalStateException(
          "The statement was rendered with the placeholders %s in place of %s. Nothing was sent. Does a listener change it?"
              .formatted(rendered.placeholders(), placeholders));
    }
    return rendered;
  }

  /** Stands in a statement for a value that is another one each time. */
  public static <T> Field<T> placeholder(String name, DataType<T> type) {
    return field(raw(MARK + name + MARK), type);
  }

  /**
   * The same, hidden from the planner's guesses: the plans for this value and for any are rated
   * alike, so the server soon keeps one instead of planning each time, which takes a third of a
   * claim.
   */
  public static <T> Field<T> hiddenPlaceholder(String name, DataType<T> type) {
    return field(select(placeholder(name, type).cast(type)));
  }

  /** Sends it with these values, in the order of the placeholders. */
  public Result<R> fetch(DSLContext context, List<? extends Field<?>> values) {
    return context.fetch(query(values));
  }

  /** The statement with these values, in the order of the placeholders. */
  @SuppressWarnings("unchecked") // the fields are those of the statement
  public ResultQuery<R> query(List<? extends Field<?>> values) {
    return (ResultQuery<R>)
        DSL.resultQuery("{0}", CustomQueryPart.of(rendering -> write(rendering, values)))
            .coerce(fields.toArray(Field<?>[]::new));
  }

  /** Piece by piece, so that jOOQ need not look for placeholders in the text. */
  private void write(Context<?> rendering, List<? extends Field<?>> values) {
    rendering.sql(pieces.get(0));
    for (int i = 0; i < placeholders.size(); i++) {
      rendering.visit(values.get(i)).sql(pieces.get(i + 1));
    }
  }
}
