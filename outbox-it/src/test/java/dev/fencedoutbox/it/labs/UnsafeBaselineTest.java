package dev.fencedoutbox.it.labs;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

/** The contract tells the fenced statements from the unsafe ones: four tests fail, two pass. */
class UnsafeBaselineTest {

  @Test
  void unsafeBaseline_failsFourOfTheSix_andPassesTwo() {
    Events tests =
        EngineTestKit.engine("junit-jupiter")
            .selectors(selectClass(UnsafeBaselineRecovery.class))
            .execute()
            .testEvents();

    Map<String, String> failures =
        tests.failed().stream()
            .collect(toMap(UnsafeBaselineTest::method, UnsafeBaselineTest::message));

    // The message is asserted as well, so that each failed for the reason that the article gives
    assertThat(failures)
        .hasSize(4)
        .hasEntrySatisfying(
            "claimOfAKilledProcess_isRecovered_onceItsLeaseIsOver",
            message -> assertThat(message).contains("the stranded row, claimed again"))
        .hasEntrySatisfying(
            "lateSuccess_underANewerEpoch_isRefused",
            message -> assertThat(message).contains("a late success was written"))
        .hasEntrySatisfying(
            "lateFailure_underANewerEpoch_isRefused",
            message -> assertThat(message).contains("a late failure was written"))
        .hasEntrySatisfying(
            "expiredOwner_isRefused_beforeAnybodyReclaims",
            message -> assertThat(message).contains("an expired owner's success was written"));
    assertThat(tests.succeeded().stream().map(UnsafeBaselineTest::method))
        .containsExactlyInAnyOrder(
            "openClaim_isSkippedByAnother_andComesBackOnRollback", "retry_ofWhatIsDone_isRefused");
  }

  private static String method(Event event) {
    return event.getTestDescriptor().getDisplayName().replace("()", "");
  }

  private static String message(Event event) {
    return String.valueOf(
        event
            .getRequiredPayload(TestExecutionResult.class)
            .getThrowable()
            .orElseThrow()
            .getMessage());
  }
}
