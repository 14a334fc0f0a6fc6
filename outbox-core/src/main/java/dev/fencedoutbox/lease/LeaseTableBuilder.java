package dev.fencedoutbox.lease;

import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.TableField;

/** Collects the columns in the order in which {@link LeaseTable} asks for them. */
final class LeaseTableBuilder<R extends Record, K extends Comparable<? super K>>
    implements LeaseTable.EpochStep<R, K> {

  private final Table<R> table;
  private final Field<K> key;

  LeaseTableBuilder(Table<R> table, TableField<R, K> key) {
    this.table = table;
    this.key = key;
  }

  @Override
  public LeaseTable.AttemptsStep<R, K> epoch(TableField<R, Long> epoch) {
    return attempts -> leaseUntil -> new WithLease(epoch, attempts, leaseUntil);
  }

  private final class WithLease implements LeaseTable.StatusStep<R, K> {

    private final Field<Long> epoch;
    private final Field<Integer> attempts;
    private final Field<OffsetDateTime> leaseUntil;

    WithLease(Field<Long> epoch, Field<Integer> attempts, Field<OffsetDateTime> leaseUntil) {
      this.epoch = epoch;
      this.attempts = attempts;
      this.leaseUntil = leaseUntil;
    }

    @Override
    public <S> LeaseTable.CompletionStep<R, K, S> status(
        TableField<R, S> column, S ready, S inProgress, S dead) {
      requireDistinct(column, ready, inProgress, dead);
      StatusColumn<S> status = new StatusColumn<>(column, ready, inProgress, dead);
      return new LeaseTable.CompletionStep<>() {
        @Override
        public LeaseTable<K, R> completedAs(S done) {
          requireDistinct(column, ready, inProgress, dead, done);
          return build(status, new Completion.SetStatus<>(status.label(done), null));
        }

        @Override
        public LeaseTable<K, R> completedByDelete() {
          return build(status, new Completion.Delete<>());
        }
      };
    }

    private LeaseTable<K, R> build(StatusColumn<?> status, Completion<K> completion) {
      return new LeaseTable<>(
          new LeaseColumns<>(
              table,
              key,
              Comparator.naturalOrder(),
              epoch,
              attempts,
              leaseUntil,
              status,
              completion,
              null,
              null,
              null),
          Handout.ofRow(table));
    }
  }

  private static void requireDistinct(Field<?> column, Object... labels) {
    if (Set.copyOf(List.of(labels)).size() < labels.length) {
      throw new IllegalArgumentException(
          "The statuses of %s must differ and are %s.".formatted(column, Arrays.toString(labels)));
    }
  }
}
