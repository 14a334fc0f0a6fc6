package dev.fencedoutbox.it.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.jooq.JSONB;

/** The order's JSON, by Jackson. */
final class OrderJson {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private OrderJson() {}

  static OrderPlaced read(JSONB json) {
    try {
      return MAPPER.readValue(json.data(), OrderPlaced.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("No order in " + json.data(), e);
    }
  }

  static JSONB write(OrderPlaced order) {
    try {
      return JSONB.valueOf(MAPPER.writeValueAsString(order));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("No JSON from " + order, e);
    }
  }
}
