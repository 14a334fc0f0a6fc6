package dev.fencedoutbox.engine;

import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.lease.ClaimStatement;
import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.lease.LeaseStatements;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.schema.enums.DeliveryStatus;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** Deliveries in hand that no claim brought. */
public final class Hand {

  public static final OffsetDateTime NOON = OffsetDateTime.parse("2026-01-01T12:00:00Z");

  private static final ClaimStatement<Long, Delivery> CLAIM =
      LeaseStatements.claim(
          Outbox.create().deliveries(Channel.DEFAULT),
          ClaimTerms.leaseFor(Duration.ofMinutes(1)),
          "owner",
          100);

  private Hand() {}

  /** A claimed delivery, due so long after noon. */
  public static Claimed<Long, Delivery> claimed(long id, Duration afterNoon) {
    return claimed(id, null, afterNoon);
  }

  private static Claimed<Long, Delivery> claimed(
      long id, @Nullable String key, Duration afterNoon) {
    Record row = DSL.using(SQLDialect.POSTGRES).newRecord(CLAIM.query().fields());
    for (int i = 0; i < row.size(); i++) {
      if (row.field(i).getType() == Boolean.class) {
        row.setValue(row.field(i).coerce(Boolean.class), false); // neither buried nor reclaimed
      }
    }
    row.set(DELIVERY.ID, id);
    row.set(DELIVERY.EPOCH, 1L);
    row.set(DELIVERY.ATTEMPTS, 1);
    row.set(DELIVERY.LEASE_UNTIL, NOON.plusMinutes(1));
    row.set(DELIVERY.CHANNEL, "default");
    row.set(DELIVERY.STATUS, DeliveryStatus.INPROGRESS);
    row.set(DELIVERY.NEXT_ATTEMPT_AT, NOON.plus(afterNoon));
    row.set(MESSAGE.EVENT_ID, "m" + id);
    row.set(MESSAGE.TOPIC, "plain");
    row.set(MESSAGE.ORDERING_KEY, key);
    return CLAIM.read(List.of(row), 0).claimed().get(0);
  }

  /** The works of one key. */
  static List<Work> run(String key, long... ids) {
    List<Work> works =
        LongStream.of(ids).mapToObj(id -> work(claimed(id, key, Duration.ZERO))).toList();
    assertThat(Run.ordered(works).works()).isEqualTo(works);
    return works;
  }

  /** A work without a key. */
  static Work alone(long id) {
    return Run.single(work(claimed(id, Duration.ZERO))).works().get(0);
  }

  private static Work work(Claimed<Long, Delivery> claimed) {
    return new Work(claimed, () -> 0) {};
  }

  /** Answers that all say done. */
  static List<Answer> delivered(Work... works) {
    return Stream.of(works).map(work -> new Answer(work, new Verdict.Complete(null))).toList();
  }
}
