package dev.fencedoutbox.it.cases;

import java.util.Random;

/** Texts that are JSON, or nearly: a generated value of which half are then damaged. */
final class JsonTexts {

  private static final String[] ATOMS = {
    "null", "true", "false", "0", "-1", "1.5", "-0.0e+3", "1E5", "12345678901234567890", "1e-20"
  };
  private static final String[] PIECES = {
    "a",
    " ",
    "\u00e9",
    "\uD83D\uDE80",
    "\\n",
    "\\\"",
    "\\\\",
    "\\/",
    "\\u0041",
    "\\uD83D\\uDE80",
    "{",
    "]",
    "'",
    ",",
    ":",
    "NULL",
    "\\u001f",
    "\u007f",
    "\u2028"
  };
  private static final String[] DAMAGES = {
    "\"", "\\", "{", "}", "[", "]", ",", ":", "\\u0000", "\\uD83D", "\\uDE80", "\\u12", "\u0001",
    "\t", "0", "-", ".", "e", "+", "null", "'", "\u0000", "\uD83D", "\uDE80", "\ufeff", "//", "\n",
    " ", "01"
  };

  private final Random random;

  JsonTexts(long seed) {
    this.random = new Random(seed);
  }

  String next() {
    StringBuilder out = new StringBuilder();
    value(out, 4);
    if (random.nextBoolean()) {
      damage(out);
    }
    return out.toString();
  }

  private void damage(StringBuilder text) {
    for (int times = 1 + random.nextInt(2); times > 0; times--) {
      int at = random.nextInt(text.length() + 1);
      if (random.nextBoolean() && at < text.length()) {
        text.deleteCharAt(at);
      } else {
        text.insert(at, pick(DAMAGES));
      }
    }
  }

  private void value(StringBuilder out, int depth) {
    space(out);
    int kind = depth == 0 ? random.nextInt(2) : random.nextInt(4);
    switch (kind) {
      case 0 -> out.append(pick(ATOMS));
      case 1 -> string(out);
      case 2 -> members(out, '[', ']', depth);
      default -> members(out, '{', '}', depth);
    }
    space(out);
  }

  private void members(StringBuilder out, char start, char end, int depth) {
    out.append(start);
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      if (i > 0) {
        out.append(',');
      }
      if (start == '{') {
        string(out);
        space(out);
        out.append(':');
      }
      value(out, depth - 1);
    }
    out.append(end);
  }

  private void string(StringBuilder out) {
    out.append('"');
    for (int i = random.nextInt(5); i > 0; i--) {
      out.append(pick(PIECES));
    }
    out.append('"');
  }

  private void space(StringBuilder out) {
    if (random.nextInt(6) == 0) {
      out.append(" \t\r\n".charAt(random.nextInt(4)));
    }
  }

  private String pick(String[] all) {
    return all[random.nextInt(all.length)];
  }
}
