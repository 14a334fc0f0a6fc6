package dev.fencedoutbox.it.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** What is made of measured numbers. */
class FiguresTest {

  @Test
  void median_isTheMiddle_andOfAnEvenNumberTheMeanOfTwo() {
    assertThat(Median.of(List.of(9.0, 1.0, 2.0), number -> number)).isEqualTo(2.0);
    assertThat(Median.of(List.of(9.0, 1.0, 2.0, 4.0), number -> number)).isEqualTo(3.0);
  }

  @Test
  void target_isJudgedAsItIsShown() {
    Target nearly = Target.atLeast("ratio", 0.7951, 0.8);
    assertThat(nearly.shown()).isEqualTo("0.80");
    assertThat(nearly.isMet()).isTrue();
    assertThat(Target.atLeast("ratio", 0.7949, 0.8).isMet()).isFalse();
    assertThat(Target.atMost("bytes", 700.4, 700, 0).isMet()).isTrue();
    assertThat(Target.atMost("bytes", 700.6, 700, 0).isMet()).isFalse();
  }

  @Test
  void rateAndCosts_arePerMessage() {
    Drain drain = new Drain(1_000, 500_000_000, 440_000, 20, 3_000_000, 49_999_999);
    assertThat(drain.perSecond()).isEqualTo(2_000);
    assertThat(drain.walBytesEach()).isEqualTo(440);
    assertThat(drain.commitsEach()).isEqualTo(0.02);
    assertThat(drain.cpuMicrosEach()).isEqualTo(3);
    assertThat(drain.compilerMicrosEach()).isEqualTo(49.999999);
  }

  @Test
  void turn_inWhichTheCompilerHadLessThanATenth_isWarm() {
    assertThat(new Drain(1, 1_000, 0, 0, 0, 99).isWarm()).isTrue();
    assertThat(new Drain(1, 1_000, 0, 0, 0, 100).isWarm()).isFalse();
  }

  @Test
  void ratio_isOfMedians() {
    Results results =
        new Results(
            Map.of(
                "relay",
                List.of(at(80), at(100), at(1)),
                "limit",
                List.of(at(160), at(5), at(900))));
    assertThat(results.ratio("relay", "limit")).isCloseTo(0.5, within(1e-6));
    assertThat(results.rateCell("relay")).isEqualTo("80 (1-100)");
  }

  private static Drain at(int perSecond) {
    return new Drain(perSecond, 1_000_000_000, 0, 0, 0, 0);
  }

  @Test
  void latency_ofAHandlerThatIsFirst_isNone_andElseTheTimeBetween() {
    Latencies latencies = new Latencies(2);
    latencies.handled("early");
    latencies.committed("early");
    latencies.committed("late");
    latencies.handled("late");

    Histogram histogram = latencies.soFar();

    assertThat(histogram.getTotalCount()).isEqualTo(2);
    assertThat(histogram.getMinValue()).isZero();
    assertThat(histogram.getMaxValue()).isPositive();
  }
}
