package dev.fencedoutbox.internal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jooq.DSLContext;

/**
 * What was built and rendered, for each of the host's settings; what must not be kept is rendered
 * each time. Thread-safe.
 *
 * @param <S> what tells one text from another under the same settings
 * @param <T> what is kept
 */
public final class KeptTexts<S, T> {

  private record Key<S>(TextSettings settings, S shape) {}

  private static final int USUAL_MOST = 64;

  private final int most;
  private final Map<Key<S>, T> kept = new ConcurrentHashMap<>();

  /** Keeps 64 at the most, and forgets all of them then. */
  public KeptTexts() {
    this(USUAL_MOST);
  }

  /** Keeps so many at the most, and forgets all of them then. */
  public KeptTexts(int most) {
    this.most = most;
  }

  /** The one of that shape for this context. */
  public T get(DSLContext context, S shape, Supplier<T> rendering) {
    if (!TextSettings.mayBeKept(context.configuration())) {
      return rendering.get();
    }
    Key<S> key = new Key<>(TextSettings.of(context.configuration()), shape);
    T known = kept.get(key);
    if (known != null) {
      return known;
    }
    T made = rendering.get();
    if (kept.size() >= most) {
      kept.clear();
    }
    kept.put(key, made);
    return made;
  }

  /** How many are kept. */
  public int size() {
    return kept.size();
  }
}
