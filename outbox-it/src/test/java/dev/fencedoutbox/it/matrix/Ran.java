package dev.fencedoutbox.it.matrix;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.util.DriverInfo;

/** What the JVM of a combination says last: on what it ran, and how it went. */
record Ran(
    String postgres,
    String jooq,
    String java,
    String pgjdbc,
    long tests,
    long skipped,
    long failed) {

  private static final Pattern LINE =
      Pattern.compile(
          "ran: postgres=(\\S+) jooq=(\\S+) java=(\\S+) pgjdbc=(\\S+)"
              + " tests=(\\d+) skipped=(\\d+) failed=(\\d+)");

  String line() {
    return "ran: postgres=%s jooq=%s java=%s pgjdbc=%s tests=%d skipped=%d failed=%d"
        .formatted(postgres, jooq, java, pgjdbc, tests, skipped, failed);
  }

  static Optional<Ran> parse(String line) {
    Matcher said = LINE.matcher(line);
    if (!said.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new Ran(
            said.group(1),
            said.group(2),
            said.group(3),
            said.group(4),
            Long.parseLong(said.group(5)),
            Long.parseLong(said.group(6)),
            Long.parseLong(said.group(7))));
  }

  /** Whether all of it was tried, on this, and nothing failed; no suite has a reason to skip. */
  boolean passedOn(Combination combination) {
    return failed == 0
        && skipped == 0
        && tests > 0
        && postgres.equals(combination.postgresVersion())
        && jooq.equals(combination.jooq())
        && java.matches(combination.java() + "\\b.*")
        && pgjdbc.equals(DriverInfo.DRIVER_VERSION);
  }
}
