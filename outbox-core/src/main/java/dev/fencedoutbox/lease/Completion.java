package dev.fencedoutbox.lease;

import java.time.OffsetDateTime;
import java.util.Map;
import java.util.function.Function;
import org.jooq.Field;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/** What completing does to the leased row. */
sealed interface Completion<K> {

  /** The row stays, under a final status, and may note when it got it. */
  record SetStatus<K>(Field<?> done, @Nullable Field<OffsetDateTime> at) implements Completion<K> {}

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
