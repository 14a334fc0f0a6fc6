package dev.fencedoutbox.lease;

import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jooq.Field;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/** The columns of a table by their part in the protocol. */
record LeaseColumns<K>(
    Table<?> table,
    Field<K> key,
    Comparator<K> keyOrder,
    Field<Long> epoch,
    Field<Integer> attempts,
    Field<OffsetDateTime> leaseUntil,
    StatusColumn<?> status,
    Completion<K> completion,
    @Nullable Field<OffsetDateTime> dueAt,
    @Nullable Field<String> owner,
    @Nullable Field<String> lastError) {

  LeaseColumns<K> withCompletion(Completion<K> value) {
    return new LeaseColumns<>(
        table, key, keyOrder, epoch, attempts, leaseUntil, status, value, dueAt, owner, lastError);
  }

  LeaseColumns<K> withDueAt(Field<OffsetDateTime> value) {
    return new LeaseColumns<>(
        table,
        key,
        keyOrder,
        epoch,
        attempts,
        leaseUntil,
        status,
        completion,
        value,
        owner,
        lastError);
  }

  LeaseColumns<K> withOwner(Field<String> value) {
    return new LeaseColumns<>(
        table,
        key,
        keyOrder,
        epoch,
        attempts,
        leaseUntil,
        status,
        completion,
        dueAt,
        value,
        lastError);
  }

  LeaseColumns<K> withLastError(Field<String> value) {
    return new LeaseColumns<>(
        table, key, keyOrder, epoch, attempts, leaseUntil, status, completion, dueAt, owner, value);
  }

  /** Every column that the protocol writes; the application must not. */
  List<Field<?>> own() {
    @Nullable Field<?> completedAt =
        completion instanceof Completion.SetStatus<K> setStatus ? setStatus.at() : null;
    return Stream.<@Nullable Field<?>>of(
            key, epoch, attempts, leaseUntil, status.column(), dueAt, owner, lastError, completedAt)
        .<Field<?>>mapMulti(
            (column, out) -> {
              if (column != null) {
                out.accept(Objects.requireNonNull(column));
              }
            })
        .toList();
  }
}
