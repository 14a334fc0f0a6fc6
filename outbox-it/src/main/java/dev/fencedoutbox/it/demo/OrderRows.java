package dev.fencedoutbox.it.demo;

import dev.fencedoutbox.it.app.OrderPlaced;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * Lines of CSV as orders. Columns may stand in any order, and others beside them.
 *
 * @param width how many columns the header has, and so each row
 */
record OrderRows(int id, int customer, int amount, int width) {

  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT.builder().setIgnoreSurroundingSpaces(true).setTrim(true).get();

  /** What numeric(12, 2) holds, without a sign and without an exponent. */
  private static final Pattern AMOUNT = Pattern.compile("[0-9]{1,10}(\\.[0-9]{1,2})?");

  private static final int LONGEST_TEXT = 200;

  /** The columns as the header names them. */
  static OrderRows under(String header) throws MalformedRow {
    List<String> names =
        split(header.startsWith("\uFEFF") ? header.substring(1) : header).stream()
            .map(name -> name.toLowerCase(Locale.ROOT))
            .toList();
    return new OrderRows(
        index(names, "id"), index(names, "customer"), index(names, "amount"), names.size());
  }

  private static int index(List<String> names, String wanted) throws MalformedRow {
    int index = names.indexOf(wanted);
    if (index < 0 || index != names.lastIndexOf(wanted)) {
      throw new MalformedRow(
          "it has %s column \"%s\" in %s"
              .formatted(index < 0 ? "no" : "more than one", wanted, names));
    }
    return index;
  }

  OrderPlaced parse(String line) throws MalformedRow {
    List<String> values = split(line);
    if (values.size() != width) {
      throw new MalformedRow("%d columns instead of %d".formatted(values.size(), width));
    }
    return new OrderPlaced(
        text("id", values.get(id)),
        text("customer", values.get(customer)),
        positive(values.get(amount)));
  }

  private static List<String> split(String line) throws MalformedRow {
    try (CSVParser parser = CSVParser.parse(line, FORMAT)) {
      List<CSVRecord> records = parser.getRecords();
      return records.isEmpty() ? List.of() : records.get(0).toList();
    } catch (IOException | UncheckedIOException e) {
      throw new MalformedRow("not CSV, is a quote left open or followed by text?", e);
    }
  }

  private static String text(String column, String value) throws MalformedRow {
    if (value.isEmpty()) {
      throw new MalformedRow(column + " is empty");
    }
    if (value.length() > LONGEST_TEXT) {
      throw new MalformedRow(
          "%s has %d characters and may have %d".formatted(column, value.length(), LONGEST_TEXT));
    }
    if (value.indexOf('\uFFFD') >= 0) {
      throw new MalformedRow(column + " is not UTF-8");
    }
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw new MalformedRow(column + " holds a control character");
    }
    return value;
  }

  private static BigDecimal positive(String value) throws MalformedRow {
    if (!AMOUNT.matcher(value).matches()) {
      throw new MalformedRow(
          "amount \"%s\" is not a number such as 12.50, up to 9999999999.99".formatted(value));
    }
    BigDecimal amount = new BigDecimal(value);
    if (amount.signum() == 0) {
      throw new MalformedRow("amount is zero");
    }
    return amount;
  }
}
