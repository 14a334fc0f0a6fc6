package dev.fencedoutbox.relay;

import dev.fencedoutbox.relay.Work.Stage;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** All deliveries in this relay's hands, from their claim to their record. Thread-safe. */
final class Holdings {

  private final Set<Work> works = ConcurrentHashMap.newKeySet();
  private final Runnable onRoom;

  Holdings(Runnable onRoom) {
    this.onRoom = onRoom;
  }

  void add(Collection<Work> more) {
    works.addAll(more);
  }

  void remove(Work work) {
    work.end();
    works.remove(work);
    onRoom.run();
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
}
