package dev.fencedoutbox.operate;

import static dev.fencedoutbox.internal.Columns.column;
import static dev.fencedoutbox.internal.DatabaseClock.never;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.castNull;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.internal.KeyLocks;
import dev.fencedoutbox.operate.DeadLetter.Standing;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.schema.enums.DeliveryStatus;
import dev.fencedoutbox.schema.enums.OperatorVerb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Record1;
import org.jooq.Record2;
import org.jooq.Record4;
import org.jooq.ResultQuery;
import org.jooq.Select;
import org.jooq.SelectForUpdateWaitStep;
import org.jooq.Table;

/**
 * The statements about DEAD deliveries. Each locks the rows that it chose, in the order of their
 * ids, and writes them by their ids with the guard repeated; a statement's last part writes down
 * what was done.
 */
record DeadLetterSql(Channel channel) {

  private static final List<Field<?>> AS_THEY_WERE =
      List.of(
          DELIVERY.ID,
          DELIVERY.MESSAGE_ID,
          DELIVERY.EPOCH,
          DELIVERY.ATTEMPTS,
          DELIVERY.LAST_ERROR,
          MESSAGE.EVENT_ID,
          MESSAGE.TOPIC,
          MESSAGE.ORDERING_KEY);

  private static final List<Field<?>> LISTED =
      List.of(
          DELIVERY.ID,
          DELIVERY.EPOCH,
          DELIVERY.ATTEMPTS,
          DELIVERY.ORDERING_KEY,
          DELIVERY.LAST_ERROR,
          MESSAGE.EVENT_ID,
          MESSAGE.TOPIC,
          MESSAGE.ORDERING_KEY,
          MESSAGE.CREATED_AT);

  private static final Condition IS_DEAD =
      DELIVERY.STATUS.eq(inline(DeliveryStatus.DEAD, DELIVERY.STATUS));

  /** The message has a key and the delivery has it no more. */
  private static final Condition SKIPPED =
      DELIVERY.ORDERING_KEY.isNull().and(MESSAGE.ORDERING_KEY.isNotNull());

  ResultQuery<Record> list(DeadLetterPage page) {
    Long after = page.after();
    Condition rest =
        after == null
            ? noCondition()
            : page.isNewestFirst() ? DELIVERY.ID.lt(after) : DELIVERY.ID.gt(after);
    return select(LISTED)
        .from(DELIVERY)
        .join(MESSAGE)
        .on(MESSAGE.ID.eq(DELIVERY.MESSAGE_ID))
        .where(dead())
        .and(rest)
        .orderBy(page.isNewestFirst() ? DELIVERY.ID.desc() : DELIVERY.ID.asc())
        .limit(inline(page.limit()));
  }

  static DeadLetter read(Record row) {
    String key = row.get(MESSAGE.ORDERING_KEY);
    Standing blocking =
        row.get(DELIVERY.ORDERING_KEY) == null ? Standing.SKIPPED : Standing.BLOCKING;
    return new DeadLetter(
        row.get(DELIVERY.ID),
        row.get(MESSAGE.EVENT_ID),
        row.get(MESSAGE.TOPIC),
        key,
        key == null ? Standing.ALONE : blocking,
        row.get(DELIVERY.ATTEMPTS),
        row.get(DELIVERY.EPOCH),
        row.get(DELIVERY.LAST_ERROR),
        row.get(MESSAGE.CREATED_AT));
  }

  /** In place: the id and the epoch stay, the attempts and the due time are new. */
  ResultQuery<Record4<Long, String, String, Long>> redrive(
      Selection selection, Duration spread, Operator by) {
    CommonTableExpression<Record> chosen = chosen(selection, SKIPPED.not());
    CommonTableExpression<Record> placed = Spread.placed(chosen, DELIVERY.ID);
    CommonTableExpression<Record1<Long>> redriven =
        name("redriven_rows")
            .as(
                update(DELIVERY)
                    .set(DELIVERY.STATUS, inline(DeliveryStatus.READY, DELIVERY.STATUS))
                    .set(DELIVERY.ATTEMPTS, inline(0))
                    .set(DELIVERY.NEXT_ATTEMPT_AT, Spread.dueAt(placed, spread))
                    .from(placed)
                    .where(among(chosen))
                    .and(DELIVERY.ID.eq(column(placed, DELIVERY.ID)))
                    .and(IS_DEAD)
                    .and(
                        DELIVERY
                            .ORDERING_KEY
                            .isNotNull()
                            .or(column(placed, MESSAGE.ORDERING_KEY).isNull()))
                    .returningResult(DELIVERY.ID));
    return new OperatorLog(OperatorVerb.REDRIVE, channel, by)
        .after(List.of(chosen, placed, redriven), chosen, redriven);
  }

  /** Those that were skipped, and the keys whose tails they would join. */
  ResultQuery<Record2<Long, String>> skipped(Selection selection) {
    return select(DELIVERY.ID, MESSAGE.ORDERING_KEY)
        .from(DELIVERY)
        .join(MESSAGE)
        .on(MESSAGE.ID.eq(DELIVERY.MESSAGE_ID))
        .where(dead())
        .and(selection.condition())
        .and(SKIPPED)
        .orderBy(DELIVERY.ID)
        .limit(inline(selection.limit()));
  }

  /**
   * Under new ids, drawn under the locks of their keys; a row that came back under its old id would
   * overtake those of its key that are in flight.
   */
  ResultQuery<Record4<Long, String, String, Long>> redriveAtTail(
      List<Keyed> skipped, Selection selection, Duration spread, Operator by) {
    CommonTableExpression<Record1<Integer>> locks = KeyLocks.locked(Keyed.keyHashes(skipped));
    CommonTableExpression<Record> chosen =
        chosen(
            selection,
            SKIPPED.and(DELIVERY.ID.eq(any(val(Keyed.ids(skipped))))).and(KeyLocks.taken(locks)),
            locks);
    CommonTableExpression<Record1<Long>> removed =
        name("removed_rows")
            .as(
                deleteFrom(DELIVERY)
                    .where(among(chosen))
                    .and(IS_DEAD)
                    .and(DELIVERY.ORDERING_KEY.isNull())
                    .returningResult(DELIVERY.ID));
    CommonTableExpression<Record> placed = Spread.placed(chosen, DELIVERY.ID);
    Map<Field<?>, Field<?>> values = NewDelivery.values(placed, channel, spread);
    CommonTableExpression<Record2<Long, Long>> queued =
        name("queued_deliveries")
            .as(
                insertInto(DELIVERY)
                    .columns(values.keySet())
                    .select(
                        select(values.values())
                            .from(placed)
                            .join(removed)
                            .on(column(removed, DELIVERY.ID).eq(column(placed, DELIVERY.ID)))
                            .orderBy(column(placed, DELIVERY.ID)))
                    .returningResult(DELIVERY.ID, DELIVERY.MESSAGE_ID));
    return new OperatorLog(OperatorVerb.REDRIVE, channel, by)
        .afterQueueing(List.of(locks, chosen, removed, placed, queued), chosen, queued);
  }

  /** The deliveries go. */
  ResultQuery<Record4<Long, String, String, Long>> discard(Selection selection, Operator by) {
    CommonTableExpression<Record> chosen = chosen(selection, noCondition());
    CommonTableExpression<Record1<Long>> discarded =
        name("discarded_rows")
            .as(
                deleteFrom(DELIVERY)
                    .where(among(chosen))
                    .and(IS_DEAD)
                    .returningResult(DELIVERY.ID));
    return new OperatorLog(OperatorVerb.DISCARD, channel, by)
        .after(List.of(chosen, discarded), chosen, discarded);
  }

  /** The key stays in the message. */
  ResultQuery<Record4<Long, String, String, Long>> skip(Selection selection, Operator by) {
    CommonTableExpression<Record> chosen = chosen(selection, DELIVERY.ORDERING_KEY.isNotNull());
    CommonTableExpression<Record1<Long>> left =
        name("skipped_rows")
            .as(
                update(DELIVERY)
                    .set(DELIVERY.ORDERING_KEY, castNull(DELIVERY.ORDERING_KEY))
                    .where(among(chosen))
                    .and(IS_DEAD)
                    .and(DELIVERY.ORDERING_KEY.isNotNull())
                    .returningResult(DELIVERY.ID));
    return new OperatorLog(OperatorVerb.SKIP, channel, by)
        .after(List.of(chosen, left), chosen, left);
  }

  /** The index {@code delivery_dead} has them by their due time; the status says the same. */
  private Condition dead() {
    return DELIVERY
        .CHANNEL
        .eq(channel.name())
        .and(DELIVERY.NEXT_ATTEMPT_AT.eq(never()))
        .and(IS_DEAD);
  }

  /** Locked, so nothing of what they show changes before they are written. */
  private CommonTableExpression<Record> chosen(
      Selection selection, Condition which, Table<?>... before) {
    List<Table<?>> from = new ArrayList<>(List.of(before));
    from.add(DELIVERY.join(MESSAGE).on(MESSAGE.ID.eq(DELIVERY.MESSAGE_ID)));
    SelectForUpdateWaitStep<Record> locked =
        select(AS_THEY_WERE)
            .from(from)
            .where(dead())
            .and(selection.condition())
            .and(which)
            .orderBy(DELIVERY.ID)
            .limit(inline(selection.limit()))
            .forNoKeyUpdate()
            .of(DELIVERY);
    Select<Record> rows = selection.isOne() ? locked : locked.skipLocked();
    return name("chosen_rows").asMaterialized(rows);
  }

  /** By an array of ids: whatever the statistics say, rows are looked up by their key. */
  private static Condition among(CommonTableExpression<Record> chosen) {
    Field<Long> id = column(chosen, DELIVERY.ID);
    return DELIVERY.ID.eq(any(array(select(id).from(chosen))));
  }
}
