package dev.fencedoutbox.build;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What must be read from and changed in a PostgreSQL JDBC URL. */
final class JdbcUrl {
  private static final Pattern PARTS =
      Pattern.compile("(?<head>jdbc:postgresql:(?://[^/?]*/?)?)(?<database>[^/?]*)(?<tail>\\?.*)?");

  private JdbcUrl() {}

  static String database(String url) {
    return match(url).group("database");
  }

  static String withDatabase(String url, String database) {
    Matcher parts = match(url);
    String head = parts.group("head");
    String tail = parts.group("tail");
    return head
        + (head.contains("//") && !head.endsWith("/") ? "/" : "")
        + database
        + (tail == null ? "" : tail);
  }

  /** The URL as it may stand in a log. */
  static String redact(String url) {
    return url.replaceAll("(?i)(password=)[^&\\s]*", "$1***");
  }

  private static Matcher match(String url) {
    Matcher parts = PARTS.matcher(url);
    if (!parts.matches()) {
      throw new IllegalArgumentException(redact(url) + " is no JDBC URL of PostgreSQL.");
    }
    return parts;
  }
}
