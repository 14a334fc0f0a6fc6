package dev.fencedoutbox.it.mutants;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * How long the connections of the run wait. A mutant may wait for ever; a test that a limit of
 * these ends has seen nothing of it but the time.
 */
final class TimeLimits {

  private static final Duration LOCK = Duration.ofSeconds(4);

  /** The last should never be met. */
  private static final String OF_SERVER =
      "-c lock_timeout=%dms -c statement_timeout=15s -c idle_in_transaction_session_timeout=30s"
          .formatted(LOCK.toMillis());

  private static final String OF_SOCKET_SECONDS = "25";

  private static final String LOCK_NOT_AVAILABLE = "55P03";

  /** Of a statement that was cancelled, a session that was ended, and a socket that was closed. */
  private static final Set<String> OTHERS = Set.of("57014", "25P03", "08006");

  private TimeLimits() {}

  static void addTo(Properties info, String url) {
    if (!url.contains("options=")) {
      info.putIfAbsent("options", OF_SERVER);
    }
    if (!url.contains("socketTimeout=")) {
      info.putIfAbsent("socketTimeout", OF_SOCKET_SECONDS);
    }
  }

  /** Whether a limit ended a test, or one of JUnit's; one that the test itself sets is shorter. */
  static boolean ended(@Nullable Throwable thrown, long tookNanos) {
    boolean longer = tookNanos >= LOCK.toNanos();
    for (Throwable cause = thrown; longer && cause != null; cause = cause.getCause()) {
      if (cause instanceof TimeoutException || cause instanceof Deadline.Passed) {
        return true;
      }
      String state = cause instanceof SQLException sql ? String.valueOf(sql.getSQLState()) : "";
      if (state.equals(LOCK_NOT_AVAILABLE) || OTHERS.contains(state)) {
        return true;
      }
    }
    return false;
  }
}
