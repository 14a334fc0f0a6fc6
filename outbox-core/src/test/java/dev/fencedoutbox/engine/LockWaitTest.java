package dev.fencedoutbox.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockWaitTest {

  @ParameterizedTest
  @ValueSource(longs = {400, 4_000, 20_000, 30_000, 600_000})
  void tenWaits_whichNarrowABatchDownToOneRow_takeAQuarterOfTheLeaseAtTheMost(long leaseMillis) {
    Duration lease = Duration.ofMillis(leaseMillis);
    assertThat(OwnTransactions.lockWait(lease).multipliedBy(10))
        .isBetween(Duration.ofMillis(100), lease.dividedBy(4));
  }
}
