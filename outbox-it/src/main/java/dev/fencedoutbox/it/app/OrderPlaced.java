package dev.fencedoutbox.it.app;

import dev.fencedoutbox.outbox.Topic;
import java.math.BigDecimal;
import org.jooq.Converter;
import org.jooq.JSONB;

/** The event of an order that was placed. */
public record OrderPlaced(String orderId, String customer, BigDecimal amount) {

  /** Its topic, with the type of its payload. */
  public static final Topic<OrderPlaced> TOPIC =
      Topic.json(
          "order.placed",
          Converter.of(JSONB.class, OrderPlaced.class, OrderJson::read, OrderJson::write));
}
