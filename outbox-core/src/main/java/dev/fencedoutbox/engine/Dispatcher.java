package dev.fencedoutbox.engine;

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
final class Dispatcher<W extends Work> {

  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

  private final Deque<Run<W>> queue = new ArrayDeque<>();
  private final Deliverer<W> deliverer;
  private final Trade<W> trade;
  private final Executor executor;
  private int idleWorkers;
  private boolean stopped;

  Dispatcher(Deliverer<W> deliverer, Trade<W> trade, Executor executor, int workers) {
    this.deliverer = deliverer;
    this.trade = trade;
    this.executor = executor;
    this.idleWorkers = workers;
  }

  /** Queues what was claimed, behind what waits already. */
  synchronized void add(List<Run<W>> runs) {
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
      List<Run<W>> next = takeOrRetire();
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

  private synchronized List<Run<W>> takeOrRetire() {
    List<Run<W>> next = take();
    if (next.isEmpty()) {
      idleWorkers++;
    }
    return next;
  }

  /**
   * The next run; if its handler takes batches, the runs after it that it delivers as well, as far
   * as they fit. Empty if nothing waits.
   */
  synchronized List<Run<W>> take() {
    Run<W> first = stopped ? null : queue.peek();
    if (first == null) {
      return List.of();
    }
    List<Run<W>> taken = new ArrayList<>(List.of(first));
    WorkHandler<W> handler = only(first);
    int room = handler == null ? 0 : handler.mostAtOnce() - first.works().size();
    Iterator<Run<W>> others = queue.iterator();
    others.next();
    while (room > 0 && others.hasNext()) {
      Run<W> other = others.next();
      if (other.works().size() <= room && Objects.equals(handler, only(other))) {
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

  /** The one handler of all the run's deliveries. */
  private @Nullable WorkHandler<W> only(Run<W> run) {
    WorkHandler<W> handler = trade.handlerOf(run.works().get(0));
    boolean same =
        handler != null
            && run.works().stream().allMatch(work -> handler.equals(trade.handlerOf(work)));
    return same ? handler : null;
  }

  /** Gives what waits and is meant to whoever hands it back; how many runs. */
  synchronized int takeOut(Predicate<Run<W>> which, Consumer<? super W> handBack) {
    List<Run<W>> out = queue.stream().filter(which).toList();
    out.forEach(run -> run.works().forEach(handBack));
    queue.removeAll(Set.copyOf(out)); // last, so that none is lost if anything fails
    return out.size();
  }

  synchronized boolean isEmpty() {
    return queue.isEmpty();
  }
}
