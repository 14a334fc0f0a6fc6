package dev.fencedoutbox.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The meters that a binder has registered, to be removed with it. Thread-safe. */
final class BoundMeters {

  private record Bound(MeterRegistry registry, Meter meter) {}

  private final Queue<Bound> all = new ConcurrentLinkedQueue<>();

  /**
   * A registry answers a second registration with the first meter, and so would hide the second.
   */
  void requireNew(MeterRegistry registry, String name, Tags tags) {
    if (registry.find(name).tags(tags).meter() != null) {
      throw new IllegalStateException(
          "The registry has a meter %s with %s already, so nothing was bound. Close the binder of the former one, or give this one another name."
              .formatted(name, tags));
    }
  }

  void add(MeterRegistry registry, Meter meter) {
    all.add(new Bound(registry, meter));
  }

  void removeAll() {
    for (Bound bound = all.poll(); bound != null; bound = all.poll()) {
      bound.registry().remove(bound.meter());
    }
  }
}
