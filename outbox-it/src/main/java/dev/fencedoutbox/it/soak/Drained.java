package dev.fencedoutbox.it.soak;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far a relay is with a backlog.
 *
 * @param characters of payload that its handlers have seen
 * @param peakHeapBytes the most that its heap ever held
 */
record Drained(long delivered, long characters, long peakHeapBytes) {

  static final Drained NOTHING = new Drained(0, 0, 0);

  private static final Pattern LINE =
      Pattern.compile("drained (\\d+) messages, (\\d+) characters, peak heap (\\d+)");

  String line() {
    return "drained %d messages, %d characters, peak heap %d"
        .formatted(delivered, characters, peakHeapBytes);
  }

  static Optional<Drained> parse(String line) {
    Matcher matcher = LINE.matcher(line);
    return matcher.matches()
        ? Optional.of(
            new Drained(
                Long.parseLong(matcher.group(1)),
                Long.parseLong(matcher.group(2)),
                Long.parseLong(matcher.group(3))))
        : Optional.empty();
  }
}
