package dev.fencedoutbox.it.mutants;

import static java.util.stream.Collectors.joining;

import dev.fencedoutbox.it.mutants.Part.Without;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A statement as it goes to the server, and the parts of it that guard: each operand of an AND or
 * an OR; what stands alone behind WHERE, ON, WHEN or FILTER; and the clauses that lock rows, pass
 * by locked rows, and pass by conflicts.
 *
 * <p>It knows the SQL that jOOQ renders, where every combined condition stands in parentheses.
 */
final class StatementText {

  /** What a host wrote. */
  private static final String HOSTS_PART = "effect_rows";

  private static final List<String> SCHEMAS = List.of("outbox");

  private final List<Token> tokens = new ArrayList<>();
  private final int[] partner;
  private final List<Part> parts = new ArrayList<>();
  private final Map<String, Integer> alike = new HashMap<>();
  private final boolean writes;
  private final @Nullable String table;

  StatementText(String sql) {
    List<Token> all = Token.of(sql);
    int[] closing = partners(all);
    @Nullable String firstTable = null;
    for (int i = 0; i < all.size(); i++) {
      if (SCHEMAS.contains(all.get(i).text()) && i + 2 < all.size() && all.get(i + 1).is(".")) {
        if (firstTable == null && isTable(all, i)) {
          firstTable = all.get(i + 2).text();
        }
        i += 2; // the schema is not part of a name
        tokens.add(new Token(all.get(i).text(), all.get(i - 2).start(), all.get(i).end()));
        continue;
      }
      tokens.add(all.get(i));
      if (all.get(i).is("(") && isNamed(all, i, HOSTS_PART)) {
        i = closing[i] - 1;
      }
    }
    this.table = firstTable;
    this.partner = partners(tokens);
    this.writes =
        tokens.stream().anyMatch(t -> t.is("update", "delete", "insert"))
            || !lockClauses().isEmpty();
    if (writes && table != null) {
      scan(0, tokens.size(), "statement");
    }
  }

  /** Neither a column of one nor a type. */
  private static boolean isTable(List<Token> all, int schema) {
    return !all.get(schema - 1).is("as")
        && (schema + 3 == all.size() || !all.get(schema + 3).is("."));
  }

  private static boolean isNamed(List<Token> all, int open, String name) {
    return open >= 2 && all.get(open - 1).is("as") && all.get(open - 2).is(name);
  }

  private static int[] partners(List<Token> all) {
    int[] partner = new int[all.size()];
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).is("(")) {
        open.add(i);
      } else if (all.get(i).is(")") && !open.isEmpty()) {
        int start = open.remove(open.size() - 1);
        partner[start] = i;
        partner[i] = start;
      }
    }
    return partner;
  }

  /** The first of the library's tables in it, or null if there is none. */
  @Nullable String table() {
    return table;
  }

  /** Whether somebody put SQL of his own into it, since jOOQ does not render casts like that. */
  boolean isTouched() {
    return tokens.stream().anyMatch(token -> token.is("::"));
  }

  /** Whether it writes or locks rows. */
  boolean writes() {
    return writes;
  }

  List<Part> parts() {
    return List.copyOf(parts);
  }

  /** The same for all renderings of a statement. */
  String shape() {
    return text(0, tokens.size());
  }

  private List<Integer> lockClauses() {
    List<Integer> starts = new ArrayList<>();
    for (int i = 0; i + 1 < tokens.size(); i++) {
      if (tokens.get(i).is("for") && tokens.get(i + 1).is("update", "no", "share", "key")) {
        starts.add(i);
      }
    }
    return starts;
  }

  /** Whatever stands in that range. */
  private void scan(int from, int to, String place) {
    for (int i = from; i < to; i++) {
      Token token = tokens.get(i);
      if (token.is("(")) {
        group(i, place);
        i = partner[i];
      } else if (token.is("where", "when", "having")
          || (token.is("on") && !tokens.get(i + 1).is("conflict"))) {
        int end = conditionEnd(i + 1, to);
        whole(i + 1, end, token.is("when") ? assigned(i, place) : place, token.is("when"));
        i = end - 1;
      } else if (token.is("on")) {
        i = conflict(i, place);
      } else if (token.is("for") && lockClauses().contains(i)) {
        i = lock(i, to, place);
      }
    }
  }

  /** The column to which the CASE before it is assigned, if it is. */
  private String assigned(int when, String place) {
    return when > 2 && tokens.get(when - 1).is("case") && tokens.get(when - 2).is("=")
        ? Part.SET + tokens.get(when - 3).text()
        : place;
  }

  private void group(int open, String place) {
    String inside = place;
    int close = partner[open];
    if (close + 2 < tokens.size() && tokens.get(close + 1).is("as")) {
      inside = tokens.get(close + 2).text();
    } else if (open > 1 && tokens.get(open - 1).is("as", "materialized")) {
      int as = tokens.get(open - 1).is("as") ? open - 1 : open - 2;
      inside = tokens.get(as - 1).text();
    }
    operands(open + 1, close, inside);
  }

  /** A condition in which nothing else is combined, or what is combined in it. */
  private void whole(int from, int to, String place, boolean alternatives) {
    if (isGroup(from, to) && has(from + 1, to - 1, "and")) {
      operands(from + 1, to - 1, place);
      return;
    }
    if (!text(from, to).equals("true")) {
      add(from, to, Without.TRUE, place);
      if (alternatives) {
        add(from, to, Without.FALSE, place);
      }
    }
    scan(from, to, place);
  }

  private boolean isGroup(int from, int to) {
    return tokens.get(from).is("(") && partner[from] == to - 1;
  }

  /** The operands of an AND or of an OR, or what stands in there otherwise. */
  private void operands(int from, int to, String place) {
    String operator = has(from, to, "or") ? "or" : "and";
    if (!has(from, to, operator)) {
      scan(from, to, place);
      return;
    }
    int start = from;
    for (int i = from; i <= to; i++) {
      if (i == to || tokens.get(i).is(operator)) {
        add(start, i, operator.equals("or") ? Without.FALSE : Without.TRUE, place);
        scan(start, i, place);
        start = i + 1;
      } else if (tokens.get(i).is("(")) {
        i = partner[i];
      }
    }
  }

  private boolean has(int from, int to, String operator) {
    for (int i = from; i < to; i++) {
      if (tokens.get(i).is(operator)) {
        return true;
      } else if (tokens.get(i).is("(")) {
        i = partner[i];
      }
    }
    return false;
  }

  private int conditionEnd(int from, int to) {
    for (int i = from; i < to; i++) {
      Token token = tokens.get(i);
      if (token.is("(")) {
        i = partner[i];
      } else if (token.is(
          "then",
          "where",
          "group",
          "order",
          "limit",
          "fetch",
          "offset",
          "returning",
          "for",
          "on",
          "union",
          "join",
          "left",
          "cross",
          "inner",
          ",")) {
        return i;
      }
    }
    return to;
  }

  private int lock(int from, int to, String place) {
    int end = from;
    while (end < to && !tokens.get(end).is(")", "skip")) {
      end++;
    }
    if (end < to && tokens.get(end).is("skip")) {
      add(end, end + 2, Without.NOTHING, place);
      end += 2;
    }
    add(from, end, Without.NOTHING, place);
    return end - 1;
  }

  private int conflict(int from, String place) {
    int end = from;
    while (!tokens.get(end).is("do")) {
      end++;
    }
    if (tokens.get(end + 1).is("nothing")) {
      add(from, end + 2, Without.NOTHING, place);
    }
    return end + 1;
  }

  private void add(int from, int to, Without without, String place) {
    String text = text(from, to);
    int number = alike.merge(place + text + without, 1, Integer::sum);
    parts.add(
        new Part(place, text, without, number, tokens.get(from).start(), tokens.get(to - 1).end()));
  }

  private String text(int from, int to) {
    return tokens.subList(from, to).stream()
        .map(Token::text)
        .collect(joining(" "))
        .replace(" . ", ".")
        .replaceAll("\\( ", "(")
        .replaceAll(" ([),])", "$1")
        .replaceAll("\\b(any|array|cast|count|\\w+_timestamp) \\(", "$1(")
        .replaceAll("cast\\(('\\w+') as \\w+\\)", "$1")
        .replaceAll("timestamp \\(#\\) with time zone", "timestamptz")
        .replaceAll("bigint \\[ ]", "bigint[]")
        .replaceAll("timestamp with time zone '9999[^']*'", "never");
  }
}
