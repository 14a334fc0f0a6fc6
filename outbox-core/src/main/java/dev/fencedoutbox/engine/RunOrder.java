package dev.fencedoutbox.engine;

import dev.fencedoutbox.lease.LeaseOutcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Whether a batch of completions keeps the order of each key: none is accepted after a refused one
 * of its run. A row may be refused alone, such as one that somebody else had locked past its lease,
 * and would then be delivered after its successors.
 */
final class RunOrder {

  private RunOrder() {}

  /** Those whose rows are not locked by others, up to the first of each ordered run that is. */
  static List<Answer> upToLocked(Set<Long> lockedRows, List<Answer> answers) {
    List<Answer> free = new ArrayList<>();
    Set<Run<?>> stopped = new HashSet<>();
    for (Answer answer : answers) {
      Run<?> run = answer.work().run();
      if (lockedRows.contains(answer.lease().key())) {
        stopped.add(run);
      } else if (!(stopped.contains(run) && run.isOrdered() && answer.leavesItsKey())) {
        free.add(answer);
      }
    }
    return free;
  }

  static boolean isKept(List<Answer> answers, List<LeaseOutcome> outcomes) {
    Set<Run<?>> broken = new HashSet<>();
    for (int i = 0; i < answers.size(); i++) {
      Answer answer = answers.get(i);
      Run<?> run = answer.work().run();
      boolean completes = run.isOrdered() && answer.verdict() instanceof Verdict.Complete;
      if (completes && !outcomes.get(i).accepted()) {
        broken.add(run);
      } else if (completes && broken.contains(run)) {
        return false;
      }
    }
    return true;
  }
}
