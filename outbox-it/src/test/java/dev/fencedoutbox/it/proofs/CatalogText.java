package dev.fencedoutbox.it.proofs;

import dev.fencedoutbox.internal.SqlText;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jooq.Query;

/** Statements as the library's catalogs print them, without the values that stand in them. */
final class CatalogText {

  private CatalogText() {}

  /** Of a statement that was sent. */
  static String of(Query query) {
    String printed = SqlText.print(Map.of("sent", query));
    return parse("", printed).values().iterator().next();
  }

  /** By their titles. */
  static Map<String, String> parse(String catalog, String text) {
    return Arrays.stream(text.split(";\n\n", -1))
        .filter(statement -> !statement.isBlank())
        .map(statement -> statement.split("\n", 2))
        .collect(
            Collectors.toMap(
                lines -> catalog + lines[0], lines -> withoutValues(lines[1]), (a, b) -> a));
  }

  /** A text that is kept has the look with which it was rendered. */
  private static String withoutValues(String sql) {
    return sql.replaceAll("'[^']*'", "?")
        .replaceAll("\\b\\d+\\b", "?")
        .replaceAll("[\\s\"]+", "")
        .toLowerCase(Locale.ROOT);
  }
}
