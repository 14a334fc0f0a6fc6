package dev.fencedoutbox.it.mutants;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A token of a statement as jOOQ renders it, whatever the case, quotes and white space.
 *
 * @param text the same for all renderings: words in lower case and without quotes, a question mark
 *     for a bind, a number sign for a number; of texts only labels are told apart
 * @param start where it starts in the statement
 * @param end where it ends
 */
record Token(String text, int start, int end) {

  private static final Pattern ANY =
      Pattern.compile(
          "\"(?<name>[^\"]+)\"|(?<text>'(?:[^']|'')*')|(?<number>\\d+(?:\\.\\d+)?)"
              + "|(?<bind>\\?|\\$\\d+)|[A-Za-z_]\\w*|<=|>=|<>|::|\\|\\||\\S");

  static List<Token> of(String sql) {
    List<Token> all = new ArrayList<>();
    Matcher matcher = ANY.matcher(sql);
    while (matcher.find()) {
      all.add(new Token(normal(matcher), matcher.start(), matcher.end()));
    }
    return all;
  }

  private static String normal(Matcher matcher) {
    if (matcher.group("name") != null) {
      return matcher.group("name");
    } else if (matcher.group("text") != null) {
      return label(matcher.group("text"));
    } else if (matcher.group("number") != null) {
      return "#";
    } else if (matcher.group("bind") != null) {
      return "?";
    }
    return matcher.group().toLowerCase(Locale.ROOT);
  }

  private static String label(String text) {
    return text.matches("'([A-Z]+|9999.*)'") ? text : "'...'";
  }

  boolean is(String... texts) {
    return List.of(texts).contains(text);
  }
}
