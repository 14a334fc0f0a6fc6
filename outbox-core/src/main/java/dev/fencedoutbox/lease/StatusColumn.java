package dev.fencedoutbox.lease;

import static org.jooq.impl.DSL.inline;

import dev.fencedoutbox.internal.Columns;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Table;

/** The status column of a table that is leased, with the meanings of its labels. */
record StatusColumn<S>(Field<S> column, S ready, S inProgress, S dead) {

  Condition isReady() {
    return column.eq(label(ready));
  }

  Condition isInProgress() {
    return column.eq(label(inProgress));
  }

  Condition isDead() {
    return column.eq(label(dead));
  }

  /** The same column in another relation that has it. */
  StatusColumn<S> in(Table<?> relation) {
    return new StatusColumn<>(Columns.column(relation, column), ready, inProgress, dead);
  }

  /** Labels are literals: they are part of the protocol, and a plan may rely on them. */
  Field<S> label(S value) {
    return inline(value, column);
  }

  Field<S> toReady() {
    return label(ready);
  }

  Field<S> toInProgress() {
    return label(inProgress);
  }

  Field<S> toDead() {
    return label(dead);
  }
}
