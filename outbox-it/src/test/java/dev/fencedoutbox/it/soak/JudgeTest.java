package dev.fencedoutbox.it.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.soak.Fault.Kind;
import dev.fencedoutbox.it.soak.Handling.What;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each test tells a history in which one thing goes wrong, or one that only looks wrong. */
class JudgeTest {

  private final Story story = new Story();

  @Test
  void judge_allDeliveredOnceInOrder_isGood() {
    story.said(null, "x").said("k", "a", "b");
    story.wentWell(10, "x", "A").wentWell(20, "a", "A").wentWell(30, "b", "B");

    Verdict verdict = story.judged();
    assertThat(verdict.isGood()).isTrue();
    assertThat(verdict.line())
        .isEqualTo(
            "soak: enqueued=3 delivered=3 lost=0 order_violations=0 duplicates=0"
                + " unexplained_duplicates=0");
  }

  // Lost

  @Test
  void lost_neverClaimed_isFound() {
    story.said(null, "x", "y").wentWell(10, "x", "A");

    assertThat(story.judged().lost()).containsExactly("y");
    assertThat(story.judged().line()).contains("enqueued=2 delivered=1 lost=1");
    assertThat(story.judged().isGood()).isFalse();
  }

  @Test
  void lost_completedWithoutAHandler_isFound() {
    story.said(null, "x").claimed(10, "x", "A", 100).completed(20, "x");

    assertThat(story.judged().lost()).containsExactly("x");
  }

  @Test
  void lost_completedAfterAFailure_isFound() {
    story.said(null, "x").claimed(10, "x", "A", 100).begun(11, "x").failed(12, "x");
    story.completed(20, "x");

    assertThat(story.judged().lost()).containsExactly("x");
  }

  @Test
  void lost_completedByAStaleOwnerWhileTheNextOneIsAtWork_isFound() {
    story.said(null, "x").fault(Kind.FREEZE, "A", 20, 115).claimed(10, "x", "A", 100);
    story.begun(11, "x").claimed(110, "x", "B", 200).begun(111, "x").delivered(115, "x", 1);
    story.completed(116, "x").delivered(120, "x");

    assertThat(story.judged().lost()).containsExactly("x");
  }

  @Test
  void lost_deliveredAndNeverRecorded_isFound() {
    story.said(null, "x").claimed(10, "x", "A", 100).begun(11, "x").delivered(12, "x");

    assertThat(story.judged().lost()).containsExactly("x");
  }

  // Order

  @Test
  void order_laterOneBeginsBeforeAnEarlierOneWasDelivered_isFound() {
    story.said("k", "a", "b").wentWell(10, "b", "A").wentWell(20, "a", "A");

    assertThat(story.judged().orderViolations())
        .contains("b (delivery 2, epoch 1) at A began before a had been delivered");
  }

  @Test
  void order_laterOneOvertakesOneThatWaitsForItsRetry_isFound() {
    story.said("k", "a", "b").claimed(10, "a", "A", 100).begun(11, "a").failed(12, "a");
    story.retried(13, "a").wentWell(20, "b", "B").wentWell(40, "a", "B");

    assertThat(story.judged().orderViolations())
        .contains("b (delivery 2, epoch 1) at B began before a had been delivered");
  }

  @Test
  void order_twoAtWorkUnderValidLeases_isFound() {
    story.said("k", "a", "b").fault(Kind.KILL, "A", 20, 21);
    story.claimed(10, "a", "A", 100).begun(11, "a").delivered(12, "a"); // and then it was killed
    story.claimed(110, "a", "B", 300).begun(111, "a");
    story.claimed(120, "b", "C", 300).begun(121, "b").delivered(122, "b").completed(123, "b");
    story.delivered(130, "a").completed(131, "a");

    assertThat(story.judged().orderViolations())
        .containsExactly(
            "b (delivery 2, epoch 1) at C began while a (delivery 1, epoch 2) at B was at work"
                + " under a valid lease",
            "b was completed before a");
  }

  @Test
  void order_frozenHandlerGoesOnAfterItsLease_isNoViolation() {
    story.said("k", "a", "b").fault(Kind.FREEZE, "A", 20, 150);
    story.claimed(10, "a", "A", 100).begun(11, "a");
    story.wentWell(110, "a", "B").wentWell(120, "b", "B").delivered(151, "a", 1);

    assertThat(story.judged().isGood()).isTrue();
    assertThat(story.judged().duplicates()).containsExactly(Map.entry("its process was frozen", 1));
  }

  @Test
  void order_completedInOneTransaction_isNoViolation() {
    story.said("k", "a", "b").claimed(10, "a", "A", 100).claimed(10, "b", "A", 100);
    story.begun(11, "a").delivered(12, "a").begun(13, "b").delivered(14, "b");
    story.completed(20, "b").completed(20, "a");

    assertThat(story.judged().isGood()).isTrue();
  }

  @Test
  void order_completedBeforeAnEarlierOne_isFound() {
    story.said("k", "a", "b").claimed(10, "a", "A", 100).claimed(10, "b", "A", 100);
    story.begun(11, "a").delivered(12, "a").begun(13, "b").delivered(14, "b");
    story.completed(20, "b").completed(21, "a");

    assertThat(story.judged().orderViolations()).containsExactly("b was completed before a");
  }

  @Test
  void order_idsAgainstTheCommits_isFound() {
    story.said("k", "a", "b").swapIds("a", "b");
    story.wentWell(10, "a", "A").wentWell(20, "b", "A");

    assertThat(story.judged().orderViolations())
        .containsExactly("a was enqueued before b and has the greater delivery id");
  }

  @Test
  void order_otherKeysAndNone_areFree() {
    story.said("k", "a").said("l", "b").said(null, "c", "d");
    story.wentWell(10, "d", "A").wentWell(10, "c", "A").wentWell(10, "b", "A");
    story.wentWell(10, "a", "A");

    assertThat(story.judged().isGood()).isTrue();
  }

  // Duplicates

  @Test
  void duplicate_underOneClaim_isUnexplained() {
    story.said(null, "x").claimed(10, "x", "A", 100).begun(11, "x").delivered(12, "x");
    story.begun(13, "x").delivered(14, "x").completed(15, "x");

    assertThat(story.judged().unexplained()).hasSize(1);
    assertThat(story.judged().line()).contains("duplicates=1 unexplained_duplicates=1");
    assertThat(story.judged().isGood()).isFalse();
  }

  @Test
  void duplicate_afterARecordedFailure_isExplained() {
    story.said(null, "x").claimed(10, "x", "A", 100).begun(11, "x").failed(12, "x");
    story.retried(13, "x").wentWell(20, "x", "A");

    assertThat(story.judged().isGood()).isTrue();
    assertThat(story.judged().duplicates())
        .containsExactly(Map.entry("its failure was recorded for a retry", 1));
  }

  @Test
  void duplicate_afterASuccessRecordedForARetry_isUnexplained() {
    story.said(null, "x").claimed(10, "x", "A", 100).begun(11, "x").delivered(12, "x");
    story.retried(13, "x").wentWell(20, "x", "A");

    assertThat(story.judged().unexplained())
        .containsExactly(
            "x (delivery 1, epoch 2) at A followed x (delivery 1, epoch 1) at A, whose claim ended"
                + " as RETRIED");
  }

  @Test
  void duplicate_leaseRanOutForNoReason_isUnexplained() {
    story.said(null, "x").claimed(10, "x", "A", 100).begun(11, "x");
    story.wentWell(110, "x", "B");

    assertThat(story.judged().unexplained()).hasSize(1);
    assertThat(story.judged().ranOut())
        .containsExactly(Map.entry("no fault of its process explains it", 1));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void duplicate_leaseRanOutByAFault_isExplained(Kind kind) {
    story.said(null, "x").claimed(10, "x", "A", 100).begun(11, "x").fault(kind, "A", 50, 80);
    story.wentWell(110, "x", "B");

    assertThat(story.judged().isGood()).isTrue();
    assertThat(story.judged().duplicates()).containsExactly(Map.entry(kind.words(), 1));
    assertThat(story.judged().reclaims()).isEqualTo(1);
  }

  @Test
  void duplicate_leaseRanOutBesideAShortStall_isUnexplained() {
    story.said(null, "x").claimed(10, "x", "A", 100).begun(11, "x");
    story.fault(Kind.STALL, "A", 50, 72).wentWell(110, "x", "B");

    assertThat(story.judged().unexplained()).hasSize(1);
  }

  @Test
  void duplicate_faultOfAnotherProcessOrTime_explainsNothing() {
    story.said(null, "x").claimed(10, "x", "A", 100).begun(11, "x");
    story.fault(Kind.FREEZE, "B", 50, 60).fault(Kind.FREEZE, "A", 1, 9);
    story.fault(Kind.FREEZE, "A", 101, 109).wentWell(110, "x", "B");

    assertThat(story.judged().unexplained()).hasSize(1);
  }

  @Test
  void duplicate_claimedWhileLeased_isUnexplainedAndBreaksTheProtocol() {
    story.said(null, "x").claimed(10, "x", "A", 100).begun(11, "x");
    story.fault(Kind.FREEZE, "A", 20, 60).wentWell(50, "x", "B");

    assertThat(story.judged().unexplained()).hasSize(1);
    assertThat(story.judged().broken())
        .containsExactly("epoch 2 of x was claimed by B while the one before it was leased");
  }

  @Test
  void duplicate_claimedAfterTheRenewedLease_isJudgedByTheRenewal() {
    story.said(null, "x").claimed(10, "x", "A", 100).begun(11, "x").renewed(60, "x", 160);
    story.fault(Kind.KILL, "A", 70, 71).wentWell(120, "x", "B");

    assertThat(story.judged().broken())
        .containsExactly("epoch 2 of x was claimed by B while the one before it was leased");
    assertThat(story.judged().renewals()).isEqualTo(1);
  }

  @Test
  void duplicate_handedBackForNoReason_isUnexplained() {
    story.said("k", "a").claimed(10, "a", "A", 100).begun(11, "a").delivered(12, "a");
    story.released(13, "a").wentWell(20, "a", "A");

    assertThat(story.judged().unexplained()).hasSize(1);
  }

  @Test
  void duplicate_handedBackBehindALostOneOfItsKey_isExplained() {
    story.said("k", "a", "b").fault(Kind.STALL, "A", 20, 105);
    story.claimed(10, "a", "A", 100).claimed(10, "b", "A", 110);
    story.begun(11, "a").delivered(12, "a").begun(13, "b").delivered(14, "b");
    story.released(106, "b").wentWell(110, "a", "B").wentWell(120, "b", "B");

    assertThat(story.judged().isGood()).isTrue();
    assertThat(story.judged().duplicates())
        .containsEntry("handed back behind one of its key whose lease ran out", 1);
  }

  // Rules

  @Test
  void broken_handledThoughRolledBack_isFound() {
    story.enqueued("x").wentWell(10, "x", "A");

    assertThat(story.judged().broken())
        .containsExactly("x (delivery 1, epoch 1) at A was never committed");
  }

  @Test
  void broken_handledWithoutAClaim_isFound() {
    story.said(null, "x").handling(5, "x", What.BEGUN, 0).wentWell(10, "x", "A");

    assertThat(story.judged().broken())
        .contains("x (delivery 1, epoch 0) at null was handled without a claim");
  }

  @Test
  void broken_epochLeftOut_isFound() {
    story.said(null, "x").skipEpoch("x").wentWell(10, "x", "A");

    assertThat(story.judged().broken()).containsExactly("delivery 1 of x: epoch 2 follows 0");
  }

  @Test
  void broken_completedByNobody_isFound() {
    story.said(null, "x").claimed(10, "x", "A", 100).begun(11, "x").failed(12, "x");
    story.retried(13, "x").completed(14, "x");

    assertThat(story.judged().broken())
        .containsExactly("delivery 1 of x: DELETE to INPROGRESS under epoch 1, which nobody holds");
  }

  @Test
  void broken_handlerToldThatItIsTheFirst_isFound() {
    story.said(null, "x").claimed(10, "x", "A", 100).fault(Kind.KILL, "A", 20, 21);
    story.claimed(110, "x", "B", 200).handling(111, "x", What.BEGUN, 2, false);
    story.delivered(112, "x").completed(113, "x");

    assertThat(story.judged().broken())
        .containsExactly("x (delivery 1, epoch 2) at B was told reclaimed=false");
  }
}
