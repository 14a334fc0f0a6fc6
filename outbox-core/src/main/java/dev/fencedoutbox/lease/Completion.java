package dev.fencedoutbox.lease;

import java.util.Map;
import java.util.function.Function;
import org.jooq.Field;
import org.jooq.Table;

/** What completing does to the leased row. */
sealed interface Completion<K> {

  /** The row stays, under a final status. */
  record SetStatus<K>(Field<?> done) implements Completion<K> {}

  /** The row goes. */
  record Delete<K>() implements Completion<K> {}

  /** The row goes and leaves a record of itself, written by the same statement. */
  record DeleteLeaving<K>(
      Table<?> record,
      Function<Accepted<K>, Map<Field<?>, Field<?>>> values,
      Field<K> recordedKey,
      Field<Long> recordedEpoch)
      implements Completion<K> {}
}
