package dev.fencedoutbox.internal;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * JSON as PostgreSQL's {@code jsonb} takes it, checked before it is sent: the database would refuse
 * the rest only inside the caller's transaction, and so spoil it. Strict RFC 8259, and of that only
 * what {@code jsonb} can store: no U+0000 and no half of a surrogate pair, also when escaped, and
 * numbers within {@code numeric}.
 */
public final class JsonText {

  /** The deepest nesting; the database's own limit depends on its stack. */
  static final int MAX_DEPTH = 1_000;

  private static final String NAMED = "\"\\/bfnrt";
  private static final String MEANT = "\"\\/\b\f\n\r\t";
  private static final int MAX_INTEGER_DIGITS = 131_072;
  private static final int MAX_FRACTION_DIGITS = 16_383;

  private final String what;
  private final String text;
  private int at;
  private int depth;

  private JsonText(String what, String text) {
    this.what = what;
    this.text = text;
  }

  /**
   * Demands that {@code jsonb} takes it.
   *
   * @throws IllegalArgumentException if {@code jsonb} would not take {@code text} to the letter
   */
  public static void requireStorable(String what, String text) {
    Texts.requireStorable(what, text);
    JsonText json = new JsonText(what, text);
    json.value();
    json.space();
    if (json.at < text.length()) {
      throw json.refused("something follows the value");
    }
  }

  /** The members of one flat object; what is not text comes as JSON. */
  public static Map<String, String> textMembers(String object) {
    JsonText json = new JsonText("The object", object);
    Map<String, String> members = new LinkedHashMap<>();
    json.space();
    json.require('{');
    json.space();
    if (json.peek() != '}') {
      do {
        json.space();
        String name = json.slice(json::string);
        json.space();
        json.require(':');
        members.put(unquoted(name), unquoted(json.slice(json::value)));
        json.space();
      } while (json.skip(','));
    }
    json.require('}');
    return Map.copyOf(members);
  }

  private String slice(Runnable part) {
    space();
    int start = at;
    part.run();
    return text.substring(start, at);
  }

  private static String unquoted(String json) {
    if (json.charAt(0) != '"') {
      return json;
    }
    StringBuilder out = new StringBuilder();
    for (int i = 1; i < json.length() - 1; i++) {
      char c = json.charAt(i);
      if (c != '\\') {
        out.append(c);
        continue;
      }
      c = json.charAt(++i);
      int named = NAMED.indexOf(c);
      if (named >= 0) {
        out.append(MEANT.charAt(named));
      } else {
        out.append((char) Integer.parseInt(json.substring(i + 1, i + 5), 16));
        i += 4;
      }
    }
    return out.toString();
  }

  private void value() {
    space();
    switch (peek()) {
      case '{' -> members('}', true);
      case '[' -> members(']', false);
      case '"' -> string();
      case 't' -> word("true");
      case 'f' -> word("false");
      case 'n' -> word("null");
      default -> number();
    }
  }

  private void members(char end, boolean named) {
    if (++depth > MAX_DEPTH) {
      throw refused("it nests deeper than " + MAX_DEPTH + " levels");
    }
    at++;
    space();
    if (peek() != end) {
      do {
        member(named);
        space();
      } while (skip(','));
    }
    require(end);
    depth--;
  }

  private void member(boolean named) {
    if (named) {
      space();
      string();
      space();
      require(':');
    }
    value();
  }

  private void string() {
    require('"');
    while (!skip('"')) {
      char c = next();
      if (c < 0x20) {
        throw refused("a control character stands in a string unescaped");
      }
      if (c == '\\') {
        escape();
      }
    }
  }

  private void escape() {
    char c = next();
    if (c != 'u') {
      if (NAMED.indexOf(c) < 0) {
        throw refused("\\" + c + " is no escape");
      }
      return;
    }
    char unit = hex();
    if (unit == 0) {
      throw refused("\\u0000 cannot be stored in jsonb; a bytes payload can hold it");
    }
    if (Character.isLowSurrogate(unit)
        || (Character.isHighSurrogate(unit)
            && !(skip('\\') && skip('u') && Character.isLowSurrogate(hex())))) {
      throw refused("an escaped surrogate has no partner");
    }
  }

  private char hex() {
    int unit = 0;
    for (int i = 0; i < 4; i++) {
      int digit = hexDigit(next());
      if (digit < 0) {
        throw refused("\\u needs four hexadecimal digits");
      }
      unit = unit * 16 + digit;
    }
    return (char) unit;
  }

  private static int hexDigit(char c) {
    return c < 0x80 ? Character.digit(c, 16) : -1;
  }

  private void number() {
    int start = at;
    skip('-');
    if (!skip('0')) {
      digits();
    }
    if (skip('.')) {
      digits();
    }
    if (skip('e') || skip('E')) {
      if (!skip('+')) {
        skip('-');
      }
      digits();
    }
    requireNumeric(text.substring(start, at));
  }

  private void digits() {
    if (!isDigit()) {
      throw refused("no value starts or goes on here");
    }
    while (isDigit()) {
      at++;
    }
  }

  private boolean isDigit() {
    return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
  }

  private void requireNumeric(String number) {
    if (number.length() > MAX_INTEGER_DIGITS + MAX_FRACTION_DIGITS) {
      throw refused("a number has more digits than numeric holds");
    }
    try {
      BigDecimal value = new BigDecimal(number);
      if ((long) value.precision() - value.scale() <= MAX_INTEGER_DIGITS
          && value.scale() <= MAX_FRACTION_DIGITS) {
        return;
      }
    } catch (NumberFormatException e) {
      throw refused("a number's exponent is beyond anything", e);
    }
    throw refused("a number has more digits than numeric holds");
  }

  private void word(String word) {
    if (!text.startsWith(word, at)) {
      throw refused("no value starts here");
    }
    at += word.length();
  }

  private void space() {
    while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private boolean skip(char c) {
    boolean found = at < text.length() && text.charAt(at) == c;
    at += found ? 1 : 0;
    return found;
  }

  private void require(char c) {
    if (!skip(c)) {
      throw refused("'" + c + "' is missing");
    }
  }

  private char peek() {
    if (at >= text.length()) {
      throw refused("it ends too early");
    }
    return text.charAt(at);
  }

  private char next() {
    char c = peek();
    at++;
    return c;
  }

  private IllegalArgumentException refused(String why) {
    return new IllegalArgumentException(
        "%s is not JSON that PostgreSQL can store: %s, at index %d of %d. Nothing was sent."
            .formatted(what, why, at, text.length()));
  }

  private IllegalArgumentException refused(String why, Exception cause) {
    IllegalArgumentException refused = refused(why);
    refused.initCause(cause);
    return refused;
  }
}
