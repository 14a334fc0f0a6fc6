package dev.fencedoutbox.internal;

import java.util.Map;

/** Text as JSON, for objects too small for a library. */
public final class JsonStrings {

  private static final char REPLACEMENT = '\uFFFD';

  private JsonStrings() {}

  /** One flat object of text values, in the map's order. */
  public static String object(Map<String, String> members) {
    StringBuilder out = new StringBuilder("{");
    members.forEach(
        (name, value) -> {
          out.append(out.length() == 1 ? "" : ",");
          quote(out, name);
          out.append(':');
          quote(out, value);
        });
    return out.append('}').toString();
  }

  /** Half a surrogate pair has no UTF-8, so it becomes U+FFFD. */
  private static void quote(StringBuilder out, String value) {
    out.append('"');
    value
        .codePoints()
        .forEach(
            point -> {
              if (point == '"' || point == '\\') {
                out.append('\\').append((char) point);
              } else if (point < 0x20) {
                out.append("\\u%04x".formatted(point));
              } else if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                out.append(REPLACEMENT);
              } else {
                out.appendCodePoint(point);
              }
            });
    out.append('"');
  }
}
