package dev.fencedoutbox.it.model;

import dev.fencedoutbox.it.model.Tables.Logged;
import dev.fencedoutbox.it.model.Tables.Receipt;
import dev.fencedoutbox.schema.enums.OperatorVerb;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the database holds, by one round trip of plain SQL: nothing of the product stands
 * between the check and the rows.
 */
final class Reader {

  private static final String CLOCK = "select " + micros("clock_timestamp()");

  private static final String DELIVERIES =
      """
      ;select d.id, m.event_id, d.ordering_key, d.status::text, d.epoch, d.attempts,
              %s, %s, d.lease_owner, d.last_error
       from outbox.delivery d join outbox.message m on m.id = d.message_id
       where m.event_id %%1$s order by d.id
      """
          .formatted(micros("d.lease_until"), micros("d.next_attempt_at"));

  private static final String JOBS =
      """
      ;select id, input, null, state::text, epoch, attempts, %s, %s, worker, failure
       from shop.job where input %%1$s order by id
      """
          .formatted(micros("lease_until"), micros("run_after"));

  private static final String OTHERS =
      """
      ;select id, event_id, ordering_key from outbox.message where event_id %1$s
      ;select r.delivery_id, r.epoch, r.attempts
       from outbox.receipt r join outbox.message m on m.id = r.message_id where m.event_id %1$s
      ;select verb::text, delivery_id, epoch, attempts, new_delivery_id
       from outbox.operator_action where event_id %1$s order by id
      ;select job_id, value from shop.effect where job_id %2$s
      """;

  private static final String ANY = "is not null";

  private final Product product;

  Reader(Product product) {
    this.product = product;
  }

  private static String micros(String time) {
    return "(extract(epoch from " + time + ") * 1000000)::bigint";
  }

  Time clock(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return clockIn(statement.executeQuery(CLOCK));
    }
  }

  /** All there is. */
  Tables read(Connection connection) throws SQLException {
    return read(connection, ANY, ANY);
  }

  /** All there is of these events, whose rows were seen before. */
  Tables read(Connection connection, Set<String> events) throws SQLException {
    String numbers =
        product.numbersOf(events).stream().map(String::valueOf).collect(Collectors.joining(","));
    return read(
        connection, "= any ('{" + String.join(",", events) + "}')", "= any ('{" + numbers + "}')");
  }

  private Tables read(Connection connection, String events, String numbers) throws SQLException {
    String rowsSql = product.kind == Kind.JOBS ? JOBS : DELIVERIES;
    try (Statement statement = connection.createStatement()) {
      statement.execute(CLOCK + (rowsSql + OTHERS).formatted(events, numbers));
      Time clock = clockIn(statement.getResultSet());
      Map<Id, Row> rows = rows(next(statement));
      Map<String, String> messages = messages(next(statement));
      List<Receipt> receipts = receipts(next(statement));
      List<Logged> log = log(next(statement));
      return new Tables(clock, rows, messages, receipts, log, effects(next(statement)));
    }
  }

  private static ResultSet next(Statement statement) throws SQLException {
    if (!statement.getMoreResults()) {
      throw new IllegalStateException("a result is missing");
    }
    return statement.getResultSet();
  }

  private static Time clockIn(ResultSet result) throws SQLException {
    result.next();
    return Time.at(result.getLong(1));
  }

  private Map<Id, Row> rows(ResultSet result) throws SQLException {
    Map<Id, Row> rows = new HashMap<>();
    while (result.next()) {
      Id id = product.name(result.getLong(1), result.getString(2));
      rows.put(
          id,
          new Row(
              id,
              result.getLong(1),
              result.getString(3),
              state(result.getString(4)),
              result.getLong(5),
              result.getInt(6),
              time(result, 7),
              Objects.requireNonNull(time(result, 8)),
              result.getString(9),
              result.getString(10)));
    }
    return rows;
  }

  private static Row.State state(String label) {
    return switch (label) {
      case "INPROGRESS", "RUNNING" -> Row.State.LEASED;
      default -> Row.State.valueOf(label);
    };
  }

  private static @Nullable Time time(ResultSet result, int column) throws SQLException {
    long micros = result.getLong(column);
    return result.wasNull() ? null : Time.at(micros);
  }

  private Map<String, String> messages(ResultSet result) throws SQLException {
    Map<String, String> messages = new HashMap<>();
    while (result.next()) {
      product.keepMessage(result.getString(2), result.getLong(1));
      messages.put(result.getString(2), Objects.requireNonNullElse(result.getString(3), ""));
    }
    return messages;
  }

  private List<Receipt> receipts(ResultSet result) throws SQLException {
    List<Receipt> receipts = new ArrayList<>();
    while (result.next()) {
      receipts.add(
          new Receipt(product.name(result.getLong(1)), result.getLong(2), result.getInt(3)));
    }
    return receipts;
  }

  private List<Logged> log(ResultSet result) throws SQLException {
    List<Logged> log = new ArrayList<>();
    while (result.next()) {
      long made = result.getLong(5);
      log.add(
          new Logged(
              OperatorVerb.valueOf(result.getString(1)),
              product.name(result.getLong(2)),
              result.getLong(3),
              result.getInt(4),
              made == 0 ? null : product.name(made)));
    }
    return log;
  }

  private Map<Id, String> effects(ResultSet result) throws SQLException {
    Map<Id, String> effects = new HashMap<>();
    while (result.next()) {
      effects.put(product.name(result.getLong(1)), result.getString(2));
    }
    return effects;
  }
}
