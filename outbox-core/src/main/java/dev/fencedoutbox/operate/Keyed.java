package dev.fencedoutbox.operate;

import dev.fencedoutbox.internal.KeyLocks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A row to act on, and the ordering key whose lock that takes. */
record Keyed(long id, @Nullable String orderingKey) {

  static Long[] ids(List<Keyed> rows) {
    return rows.stream().map(Keyed::id).toArray(Long[]::new);
  }

  static Integer[] keyHashes(List<Keyed> rows) {
    return KeyLocks.hashes(rows.stream().map(Keyed::orderingKey));
  }
}
