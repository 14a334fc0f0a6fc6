package dev.fencedoutbox.internal;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Who wants to be called about what; few, and looked at often.
 *
 * <p>Thread-safe.
 *
 * @param <K> what they want to be called about
 */
public final class Callbacks<K> {

  /** Each registration is one of its own, whatever it calls. */
  private static final class Entry<K> {
    final K key;
    final Runnable callback;

    Entry(K key, Runnable callback) {
      this.key = key;
      this.callback = callback;
    }
  }

  private final List<Entry<K>> entries = new CopyOnWriteArrayList<>();

  /** Adds one; what is returned takes it out again. */
  public Runnable add(K key, Runnable callback) {
    Entry<K> entry = new Entry<>(key, callback);
    entries.add(entry);
    return () -> entries.remove(entry);
  }

  /** Calls those who want to know about it. */
  public void call(K key) {
    for (Entry<K> entry : entries) {
      if (entry.key.equals(key)) {
        entry.callback.run();
      }
    }
  }

  /** Calls everybody. */
  public void callAll() {
    entries.forEach(entry -> entry.callback.run());
  }
}
