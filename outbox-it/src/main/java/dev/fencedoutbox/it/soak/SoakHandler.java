package dev.fencedoutbox.it.soak;

import dev.fencedoutbox.it.soak.Handling.What;
import dev.fencedoutbox.relay.Attempt;
import dev.fencedoutbox.relay.DeliveryOutcome;
import java.sql.SQLException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * A handler of moods: mostly quick, sometimes failing, now and then slower than a lease lasts. Each
 * attempt's mood hangs on its event id and its epoch. Thread-safe.
 */
final class SoakHandler {

  private static final int PER_MILLE_SLOW = 10;
  private static final int PER_MILLE_FAILING = 30;
  private static final int PER_MILLE_THROWING = 40;
  private static final int LONGEST_QUICK_MILLIS = 10;

  private final HandlerLog log;
  private final Duration slow;

  /**
   * @param slow how long a slow one takes
   */
  SoakHandler(HandlerLog log, Duration slow) {
    this.log = log;
    this.slow = slow;
  }

  DeliveryOutcome handle(Attempt attempt) throws SQLException, InterruptedException {
    log.write(What.BEGUN, attempt);
    long seed = 31L * attempt.eventId().hashCode() + attempt.lease().epoch().value();
    int mood = new SplittableRandom(seed).nextInt(1_000);
    if (mood < PER_MILLE_SLOW) {
      TimeUnit.MILLISECONDS.sleep(slow.toMillis());
    } else if (mood < PER_MILLE_FAILING) {
      log.write(What.FAILED, attempt);
      return DeliveryOutcome.retryAfter(Duration.ofMillis(mood), "in no mood");
    } else if (mood < PER_MILLE_THROWING) {
      log.write(What.FAILED, attempt);
      throw new IllegalStateException("in no mood at all");
    } else {
      TimeUnit.MILLISECONDS.sleep(mood % LONGEST_QUICK_MILLIS);
    }
    log.write(What.DELIVERED, attempt);
    return DeliveryOutcome.delivered();
  }
}
