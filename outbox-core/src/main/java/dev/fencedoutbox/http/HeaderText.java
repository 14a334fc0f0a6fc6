package dev.fencedoutbox.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.function.IntPredicate;

/** Text as the value of a header, which holds ASCII only: the client would send the rest as "?". */
final class HeaderText {

  private HeaderText() {}

  /** An identity: two different ones stay different. */
  static String identity(String text) {
    return encoded(text, b -> b > ' ' && b < 0x7F && b != '%');
  }

  /** Text of the host's, which is left as it is where that can be sent. */
  static String printable(String text) {
    return encoded(text, HeaderText::isPrintable);
  }

  static boolean isPrintable(String text) {
    return text.chars().allMatch(HeaderText::isPrintable);
  }

  private static boolean isPrintable(int c) {
    return c >= ' ' && c < 0x7F;
  }

  private static String encoded(String text, IntPredicate asItIs) {
    StringBuilder out = new StringBuilder();
    for (byte b : text.getBytes(UTF_8)) {
      if (asItIs.test(b)) {
        out.append((char) b);
      } else {
        out.append("%%%02X".formatted(b));
      }
    }
    return out.toString();
  }
}
