package dev.fencedoutbox.lease;

import dev.fencedoutbox.internal.TextSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * What was built and rendered, as long as the host's settings stay what they were; what must not be
 * kept is rendered each time. For one thread.
 *
 * @param <S> what tells one text from another
 * @param <T> what is kept
 */
final class KeptTexts<S, T> {

  private static final int MOST = 64;

  private final Map<S, T> kept = new HashMap<>();
  private @Nullable TextSettings settings;

  T get(DSLContext context, S shape, Supplier<T> rendering) {
    if (!TextSettings.mayBeKept(context.configuration())) {
      return rendering.get();
    }
    TextSettings now = TextSettings.of(context.configuration());
    if (!now.equals(settings)) {
      kept.clear();
      settings = now;
    }
    T known = kept.get(shape);
    if (known != null) {
      return known;
    }
    if (kept.size() == MOST) {
      kept.clear();
    }
    T made = rendering.get();
    kept.put(shape, made);
    return made;
  }
}
