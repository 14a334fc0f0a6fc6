package dev.fencedoutbox.relay;

import static dev.fencedoutbox.engine.Hand.claimed;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

class ScanFloorTest {

  private static final Duration SWEEP = Duration.ofSeconds(2);

  private final ScanFloor floor = new ScanFloor(SWEEP);

  private String next(Duration at) {
    ScanFloor.From from = floor.next(at.toNanos());
    return DSL.using(SQLDialect.POSTGRES).renderInlined(from.range().condition()) + from.values();
  }

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  @Test
  void first_sweepsFromTheBeginning() {
    assertThat(next(seconds(100))).isEqualTo("true[]");
  }

  @Test
  void beforeAnythingWasFound_everyOneSweeps() {
    next(seconds(100));
    floor.claimed(List.of(), false);
    assertThat(next(seconds(100))).isEqualTo("true[]");
  }

  @Test
  void afterAFullClaim_theNextGoesOnExactlyWhereItEnded() {
    next(seconds(100));
    floor.claimed(List.of(claimed(8, seconds(5)), claimed(7, seconds(9))), true);
    assertThat(next(seconds(101))).contains(">=", "12:00:09", "7").doesNotContain("12:00:05");
  }

  @Test
  void withNothingLeftBehind_itLooksBackALittle_forLateCommits() {
    next(seconds(100));
    floor.claimed(List.of(claimed(7, seconds(9))), false);
    assertThat(next(seconds(101))).contains(">=", "12:00:08").doesNotContain("12:00:09");
  }

  @Test
  void everySweepInterval_itSweepsFromTheBeginning() {
    next(seconds(100));
    floor.claimed(List.of(claimed(7, seconds(9))), false);
    assertThat(next(seconds(101))).isNotEqualTo("true[]");
    assertThat(next(seconds(102))).isEqualTo("true[]");
    floor.claimed(List.of(), false);
    assertThat(next(seconds(103))).isNotEqualTo("true[]");
  }

  @Test
  void sweep_whoseClaimBroughtNoAnswer_isRepeated() {
    next(seconds(100));
    floor.claimed(List.of(claimed(7, seconds(9))), false);
    assertThat(next(seconds(102))).isEqualTo("true[]");
    assertThat(next(seconds(102))).isEqualTo("true[]");
  }

  @Test
  void sweep_thatFindsSomethingOld_doesNotMoveTheFloorBack_unlessThereIsMore() {
    next(seconds(100));
    floor.claimed(List.of(claimed(7, seconds(9))), false);
    assertThat(next(seconds(102))).isEqualTo("true[]");
    floor.claimed(List.of(claimed(1, seconds(1))), false);
    assertThat(next(seconds(103))).contains("12:00:08");
    assertThat(next(seconds(104))).isEqualTo("true[]");
    floor.claimed(List.of(claimed(2, seconds(2))), true);
    assertThat(next(seconds(105))).contains("12:00:02");
  }

  @Test
  void whatComesAfter_isKnownOnlyAfterAFullClaim() {
    assertThat(floor.onwards()).isNull();
    next(seconds(100));
    floor.claimed(List.of(claimed(7, seconds(9))), true);
    assertThat(floor.onwards()).isNotNull();
    assertThat(floor.onwards()).isEqualTo(floor.next(seconds(101).toNanos()));
    floor.claimed(List.of(claimed(8, seconds(10))), false);
    assertThat(floor.onwards()).isNull();
  }

  @Test
  void whatComesAfter_beginsAnewWhereASweepWasFull() {
    next(seconds(100));
    floor.claimed(List.of(claimed(7, seconds(9))), true);
    next(seconds(102));
    floor.claimed(List.of(claimed(3, seconds(4))), true);
    assertThat(String.valueOf(floor.onwards())).contains("12:00:04").doesNotContain("12:00:09");
  }
}
