package dev.fencedoutbox.engine;

import dev.fencedoutbox.engine.Work.Stage;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * All that is in this engine's hands, from their claim to their record. Thread-safe.
 *
 * <p>Each of them is in one place that will move it on: the queue of the {@link Dispatcher}, a
 * worker in the {@link Deliverer}, or the {@link Recorder}. Whoever takes one from a place has
 * handed it to the next when it returns, whatever was thrown on the way; otherwise its lease would
 * be renewed for ever and nobody would deliver it.
 */
final class Holdings {

  private final Set<Work> works = ConcurrentHashMap.newKeySet();
  private final Runnable onRoom;
  private final Runnable onKeyFree;

  /** That calls the one when anything has left, the other when all of an ordering key has. */
  Holdings(Runnable onRoom, Runnable onKeyFree) {
    this.onRoom = onRoom;
    this.onKeyFree = onKeyFree;
  }

  void add(Collection<? extends Work> more) {
    works.addAll(more);
  }

  void remove(Work work) {
    work.end();
    boolean wasHere = works.remove(work);
    onRoom.run();
    if (wasHere && work.run().freesItsKey()) {
      onKeyFree.run(); // what waited behind it can be claimed now
    }
  }

  int size() {
    return works.size();
  }

  List<Work> at(Stage... stages) {
    Set<Stage> wanted = Set.of(stages);
    return works.stream().filter(work -> wanted.contains(work.stage())).toList();
  }

  int count(Stage... stages) {
    return at(stages).size();
  }

  /** The rows that handlers are still at work on though their leases cannot be trusted any more. */
  Set<Long> stuckRows(long nowNanos) {
    return at(Stage.RUNNING).stream()
        .filter(work -> work.isLost() || !work.isTrusted(nowNanos))
        .map(work -> work.lease().key())
        .collect(Collectors.toUnmodifiableSet());
  }
}
