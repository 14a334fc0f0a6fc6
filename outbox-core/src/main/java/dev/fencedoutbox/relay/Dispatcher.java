package dev.fencedoutbox.relay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue of what is claimed and not begun, and the workers that take from it: as many at once as
 * the options say, on the host's executor or the relay's own. Thread-safe.
 */
final class Dispatcher {

  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

  private final Deque<Run> queue = new ArrayDeque<>();
  private final Deliverer deliverer;
  private final Routes routes;
  private final Executor executor;
  private int idleWorkers;
  private boolean stopped;

  Dispatcher(Deliverer deliverer, Routes routes, Executor executor, int workers) {
    this.deliverer = deliverer;
    this.routes = routes;
    this.executor = executor;
    this.idleWorkers = workers;
  }

  /** Queues what was claimed, behind what waits already. */
  synchronized void add(List<Run> runs) {
    queue.addAll(runs);
  }

  /** Sets workers to work, as long as there is something for them. */
  void startWorkers() {
    while (hireWorker()) {
      boolean begun = false;
      try {
        executor.execute(this::work);
        begun = true;
      } catch (RejectedExecutionException e) {
        LOG.warn(
            "The executor took no delivery; what is claimed waits and is handed back in time.", e);
        return;
      } finally {
        if (!begun) {
          dismissWorker();
        }
      }
    }
  }

  private void work() {
    boolean retired = false;
    try {
      List<Run> next = takeOrRetire();
      while (!next.isEmpty()) {
        deliverer.deliver(next);
        next = takeOrRetire();
      }
      retired = true;
    } finally {
      if (!retired) {
        dismissWorker();
      }
    }
  }

  /** Nothing more is handed to a worker. */
  synchronized void stop() {
    stopped = true;
  }

  private synchronized boolean hireWorker() {
    if (stopped || queue.isEmpty() || idleWorkers == 0) {
      return false;
    }
    idleWorkers--;
    return true;
  }

  private synchronized void dismissWorker() {
    idleWorkers++;
  }

  private synchronized List<Run> takeOrRetire() {
    List<Run> next = take();
    if (next.isEmpty()) {
      idleWorkers++;
    }
    return next;
  }

  /**
   * The next run; if its handler takes batches, the runs after it that it delivers as well, as far
   * as they fit. Empty if nothing waits.
   */
  synchronized List<Run> take() {
    Run first = stopped ? null : queue.peek();
    if (first == null) {
      return List.of();
    }
    List<Run> taken = new ArrayList<>(List.of(first));
    Route route = only(first);
    int room = route == null ? 0 : route.mostAtOnce() - first.works().size();
    Iterator<Run> others = queue.iterator();
    others.next();
    while (room > 0 && others.hasNext()) {
      Run other = others.next();
      if (other.works().size() <= room && Objects.equals(route, only(other))) {
        room -= other.works().size();
        taken.add(other);
      }
    }
    if (taken.size() == 1) {
      queue.poll();
    } else {
      queue.removeAll(Set.copyOf(taken)); // last, so that none is lost if anything fails
    }
    return taken;
  }

  /** The one route of all the run's deliveries. */
  private @Nullable Route only(Run run) {
    Route route = routes.of(run.works().get(0).delivery().topic());
    boolean same =
        route != null
            && run.works().stream()
                .allMatch(work -> route.equals(routes.of(work.delivery().topic())));
    return same ? route : null;
  }

  /** Gives what waits and is meant to whoever hands it back; how many runs. */
  synchronized int takeOut(Predicate<Run> which, Consumer<Work> handBack) {
    List<Run> out = queue.stream().filter(which).toList();
    out.forEach(run -> run.works().forEach(handBack));
    queue.removeAll(Set.copyOf(out)); // last, so that none is lost if anything fails
    return out.size();
  }

  synchronized boolean isEmpty() {
    return queue.isEmpty();
  }
}
