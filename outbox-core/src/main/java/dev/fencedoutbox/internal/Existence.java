package dev.fencedoutbox.internal;

import static org.jooq.impl.DSL.keyword;

import org.jooq.Condition;
import org.jooq.Context;
import org.jooq.Field;
import org.jooq.Keyword;
import org.jooq.Select;
import org.jooq.impl.CustomCondition;
import org.jooq.impl.CustomField;
import org.jooq.impl.SQLDataType;

/**
 * Whether a query has rows. {@code DSL.exists} and {@code DSL.notExists} take another type since
 * jOOQ 3.21, so what was compiled with the one does not link with the other.
 */
public final class Existence {

  private static final Keyword EXISTS = keyword("exists");
  private static final Keyword NOT_EXISTS = keyword("not exists");

  private Existence() {}

  /** Whether it has one or more, as a value. */
  public static Field<Boolean> exists(Select<?> rows) {
    return CustomField.of(
        EXISTS.toString(), SQLDataType.BOOLEAN, context -> subquery(context, EXISTS, rows));
  }

  /** It has none. */
  public static Condition notExists(Select<?> rows) {
    return CustomCondition.of(context -> subquery(context, NOT_EXISTS, rows));
  }

  private static void subquery(Context<?> context, Keyword keyword, Select<?> rows) {
    context
        .visit(keyword)
        .sql(" (")
        .subquery(true)
        .formatIndentStart()
        .formatNewLine()
        .visit(rows)
        .formatIndentEnd()
        .formatNewLine()
        .subquery(false)
        .sql(')');
  }
}
