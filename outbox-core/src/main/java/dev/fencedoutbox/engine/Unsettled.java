package dev.fencedoutbox.engine;

import dev.fencedoutbox.engine.Work.Stage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Answers whose record failed or is still to come, those that have waited longest first. For one
 * thread.
 */
final class Unsettled {

  private record Entry(Answer answer, @Nullable Fault fault) {}

  private final Map<Work, Entry> byWork = new LinkedHashMap<>();

  boolean isEmpty() {
    return byWork.isEmpty();
  }

  /** Keeps it for later, behind the others; whether it is new here. */
  boolean put(Answer answer, @Nullable Fault fault) {
    Entry before = byWork.remove(answer.work());
    @Nullable Fault known = fault == null && before != null ? before.fault() : fault;
    byWork.put(answer.work(), new Entry(answer, known));
    return before == null;
  }

  /**
   * Keeps those that are neither settled nor here, as after a write that did not return, though it
   * may have taken place.
   */
  void keep(Collection<Answer> answers) {
    for (Answer answer : answers) {
      if (answer.work().stage() != Stage.ENDED && !byWork.containsKey(answer.work())) {
        answer.work().notWritten(true);
        byWork.put(answer.work(), new Entry(answer, null));
      }
    }
  }

  void remove(Work work) {
    byWork.remove(work);
  }

  /** Those that are blamed, or those that are not. */
  List<Answer> answers(boolean blamed) {
    return byWork.values().stream()
        .map(Entry::answer)
        .filter(answer -> answer.work().isRecordFailing() == blamed)
        .toList();
  }

  /** Whether one of its key that comes before it is here, and not among {@code written}. */
  boolean makesWait(Work work, Set<Work> written) {
    return byWork.keySet().stream()
        .anyMatch(other -> work.comesAfter(other) && !written.contains(other));
  }

  /** Of a copy, so that {@code to} may take them out. */
  void forEachWhere(Predicate<Work> which, BiConsumer<Answer, @Nullable Fault> to) {
    for (Entry entry : new ArrayList<>(byWork.values())) {
      if (which.test(entry.answer().work())) {
        to.accept(entry.answer(), entry.fault());
      }
    }
  }
}
