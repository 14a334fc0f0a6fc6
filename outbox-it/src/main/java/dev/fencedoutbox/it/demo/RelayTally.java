package dev.fencedoutbox.it.demo;

import dev.fencedoutbox.relay.RelayCounters;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a relay has done so far; its process prints it as a line.
 *
 * @param claimed deliveries, those claimed again included
 * @param reclaimed of those, the ones whose former lease had run out
 * @param delivered recorded as delivered
 * @param retried recorded for a later retry
 * @param refused writes that came too late
 * @param lost leases that ran out or were taken over before there was anything to write
 */
record RelayTally(
    long claimed, long reclaimed, long delivered, long retried, long refused, long lost) {

  static final RelayTally NOTHING = new RelayTally(0, 0, 0, 0, 0, 0);

  private static final Pattern LINE =
      Pattern.compile(
          "tally claimed=(\\d+) reclaimed=(\\d+) delivered=(\\d+) retried=(\\d+) refused=(\\d+)"
              + " lost=(\\d+)");

  static RelayTally of(RelayCounters counters) {
    return new RelayTally(
        counters.claimed(),
        counters.reclaimed(),
        counters.delivered(),
        counters.retried(),
        counters.refused(),
        counters.lost());
  }

  String line() {
    return "tally claimed=%d reclaimed=%d delivered=%d retried=%d refused=%d lost=%d"
        .formatted(claimed, reclaimed, delivered, retried, refused, lost);
  }

  /** For people. */
  String words() {
    return "claimed %d (%d of them reclaimed), delivered %d, retried %d, refused %d, lost %d"
        .formatted(claimed, reclaimed, delivered, retried, refused, lost);
  }

  static Optional<RelayTally> parse(String line) {
    Matcher matcher = LINE.matcher(line);
    return matcher.matches() ? Optional.of(of(matcher)) : Optional.empty();
  }

  private static RelayTally of(MatchResult line) {
    return new RelayTally(
        number(line, 1),
        number(line, 2),
        number(line, 3),
        number(line, 4),
        number(line, 5),
        number(line, 6));
  }

  private static long number(MatchResult line, int group) {
    return Long.parseLong(line.group(group));
  }
}
