package dev.fencedoutbox.it.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencedoutbox.it.app.OrderPlaced;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Orders from a CSV file whose header names the columns id, customer and amount. One line is one
 * row, so that a quote left open spoils its own row only.
 */
final class OrderFile {

  /** An order and the line it stands on; the header is line 1. */
  record Row(long line, OrderPlaced order) {}

  /** A line that is no order, and why. */
  record Skipped(long line, String reason) {}

  /** Everything in the file but blank lines. */
  record Contents(List<Row> orders, List<Skipped> skipped) {

    int rows() {
      return orders.size() + skipped.size();
    }
  }

  private OrderFile() {}

  /**
   * Reads the whole file.
   *
   * @throws UnusableInput if it cannot be read, or has no header or no order
   */
  static Contents read(Path file) {
    Contents contents;
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(Files.newInputStream(file), UTF_8))) {
      contents = read(file, reader);
    } catch (IOException e) {
      throw new UnusableInput(
          "The orders file %s cannot be read: %s. Nothing was started. Name another with -Dorders=FILE."
              .formatted(file.toAbsolutePath(), reason(e)),
          e);
    }
    return contents;
  }

  private static Contents read(Path file, BufferedReader reader) throws IOException {
    OrderRows rows = header(file, reader.readLine());
    List<Row> orders = new ArrayList<>();
    List<Skipped> skipped = new ArrayList<>();
    long number = 1;
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      number++;
      if (line.isBlank()) {
        continue;
      }
      try {
        orders.add(new Row(number, rows.parse(line)));
      } catch (MalformedRow e) {
        skipped.add(new Skipped(number, e.reason()));
      }
    }
    if (orders.isEmpty()) {
      throw new UnusableInput(
          "The orders file %s holds no order: %d rows, all malformed%s. Nothing was started."
              .formatted(file.toAbsolutePath(), skipped.size(), first(skipped)));
    }
    return new Contents(List.copyOf(orders), List.copyOf(skipped));
  }

  private static OrderRows header(Path file, @Nullable String line) {
    try {
      return OrderRows.under(line == null ? "" : line);
    } catch (MalformedRow e) {
      throw new UnusableInput(
          "The orders file %s needs the header id,customer,amount on its first line: %s. Nothing was started."
              .formatted(file.toAbsolutePath(), e.reason()),
          e);
    }
  }

  private static String first(List<Skipped> skipped) {
    return skipped.isEmpty()
        ? ""
        : ", the first on line %d: %s".formatted(skipped.get(0).line(), skipped.get(0).reason());
  }

  private static String reason(IOException e) {
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }
}
