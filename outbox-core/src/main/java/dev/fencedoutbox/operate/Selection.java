package dev.fencedoutbox.operate;

import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static org.jooq.impl.DSL.noCondition;

import dev.fencedoutbox.internal.CheckReturnValue;
import dev.fencedoutbox.internal.Texts;
import org.jooq.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Which DEAD deliveries of a channel an action is about: one, those of a topic, or all; and how
 * many of them at most, the oldest first.
 *
 * <p>Immutable and thread-safe.
 */
@CheckReturnValue
public final class Selection {

  private final @Nullable Long deliveryId;
  private final @Nullable String topic;
  private final int limit;

  private Selection(@Nullable Long deliveryId, @Nullable String topic, int limit) {
    this.deliveryId = deliveryId;
    this.topic = topic;
    this.limit = limit;
  }

  /**
   * The delivery with that id.
   *
   * @param id 1 or more
   */
  public static Selection delivery(long id) {
    if (id < 1) {
      throw new IllegalArgumentException(
          "A delivery's id is 1 or more and is " + id + ". Nothing was sent.");
    }
    return new Selection(id, null, 1);
  }

  /** Those of the topic of that name, {@value Limits#DEFAULT_ROWS} at most. */
  public static Selection topic(String name) {
    return new Selection(null, Texts.requireName("A topic's name", name), Limits.DEFAULT_ROWS);
  }

  /** All of the channel, {@value Limits#DEFAULT_ROWS} at most. */
  public static Selection all() {
    return new Selection(null, null, Limits.DEFAULT_ROWS);
  }

  /**
   * The same with another bound on the rows of one call.
   *
   * @param rows 1 to {@value Limits#MOST_ROWS}
   */
  public Selection upTo(int rows) {
    return new Selection(deliveryId, topic, Limits.requireRows("upTo", rows));
  }

  int limit() {
    return limit;
  }

  /** Whether it names one delivery, for which it is worth waiting. */
  boolean isOne() {
    return deliveryId != null;
  }

  Condition condition() {
    if (deliveryId != null) {
      return DELIVERY.ID.eq(deliveryId);
    }
    return topic == null ? noCondition() : MESSAGE.TOPIC.eq(topic);
  }

  @Override
  public String toString() {
    String which = topic == null ? "all" : "topic " + topic;
    return deliveryId == null ? which + ", up to " + limit : "delivery " + deliveryId;
  }
}
