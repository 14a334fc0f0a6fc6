package dev.fencedoutbox.relay;

import dev.fencedoutbox.relay.DeliveryOutcome.Bury;
import dev.fencedoutbox.relay.DeliveryOutcome.Delivered;
import dev.fencedoutbox.relay.DeliveryOutcome.Retry;
import dev.fencedoutbox.relay.DeliveryOutcome.Settled;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls handlers and passes on what they answer. Holds no connection. Thread-safe. */
final class Deliverer {

  private static final Logger LOG = LoggerFactory.getLogger(Deliverer.class);

  private final Routes routes;
  private final RelayOptions options;
  private final DeliveryInterceptor interceptor;
  private final Recorder recorder;
  private final LongSupplier nanoClock;
  private volatile boolean stopping;
  private final Set<String> unknownTopics = ConcurrentHashMap.newKeySet();

  Deliverer(
      Routes routes,
      RelayOptions options,
      DeliveryInterceptor interceptor,
      Recorder recorder,
      LongSupplier nanoClock) {
    this.routes = routes;
    this.options = options;
    this.interceptor = interceptor;
    this.recorder = recorder;
    this.nanoClock = nanoClock;
  }

  /** Nothing more is begun; what is not goes back. */
  void stop() {
    stopping = true;
  }

  /**
   * Works through one run, or through several that one handler takes as a batch. Whatever is thrown
   * on the way, all of it is handed over when this returns.
   */
  void deliver(List<Run> runs) {
    try {
      deliverEach(runs);
    } finally {
      runs.forEach(this::leaveNothing);
    }
  }

  /**
   * One that a handler here has still not returned from, though its lease is over, must not take a
   * second worker of this relay: this attempt has failed before it began.
   */
  void refuseStuck(Run run, Set<Long> rowsAtWork) {
    for (Work work : run.works()) {
      if (rowsAtWork.contains(work.lease().key())) {
        LOG.warn(
            "Claimed {}, and its handler has not returned here from an earlier attempt, so it is not"
                + " called again. Others may deliver it, or its attempts are used up.",
            work);
        recorder.handBack(
            work, again(work, new Retry(Optional.empty(), "Its handler has not returned.")));
        recorder.handBackAfter(work);
      }
    }
  }

  /** Nothing is left, unless something other than a handler has failed in here. */
  private void leaveNothing(Run run) {
    for (Work work : run.works()) {
      if (!work.isHandedOver()) {
        run.abortAt(work);
        recorder.add(work, again(work, new Retry(Optional.empty(), "The relay itself failed.")));
      }
    }
  }

  private void deliverEach(List<Run> runs) {
    if (runs.size() > 1) {
      Route route = Objects.requireNonNull(routes.of(topic(runs.get(0).works().get(0))));
      call(route, runs.stream().flatMap(run -> run.works().stream()).toList());
    } else {
      List<Work> left = runs.get(0).works();
      while (!left.isEmpty()) {
        int size = segment(left);
        deliverSegment(left.subList(0, size));
        left = left.subList(size, left.size());
      }
    }
  }

  /** How many from the first on go to its handler by one call. */
  private int segment(List<Work> works) {
    Route route = routes.of(topic(works.get(0)));
    if (route == null) {
      return 1;
    }
    int size = 1;
    while (size < Math.min(route.mostAtOnce(), works.size())
        && route.equals(routes.of(topic(works.get(size))))) {
      size++;
    }
    return size;
  }

  private void deliverSegment(List<Work> works) {
    Route route = routes.of(topic(works.get(0)));
    if (route == null) {
      putOff(works.get(0));
    } else {
      call(route, works);
    }
  }

  private void putOff(Work work) {
    String topic = topic(work);
    if (unknownTopics.add(topic)) {
      LOG.warn(
          "No handler for topic {} on channel {}: its deliveries are put off by {} each time, their"
              + " attempts given back. Run a relay that has one, or add one here.",
          topic,
          work.delivery().channel(),
          options.pacing().unknownTopicPause());
    }
    recorder.handBack(
        work, work.run().isAbortedBefore(work) ? new Verdict.Back() : new Verdict.Later());
    work.run().abortAt(work);
  }

  private void call(Route route, List<Work> works) {
    List<Work> begun = new ArrayList<>();
    Call call = new Call(nanoClock.getAsLong());
    for (Work work : works) {
      boolean due = !stopping && !work.run().isAbortedBefore(work) && isWithinBudget(work);
      if (due && work.begin(call)) {
        begun.add(work);
      } else {
        surrender(work);
      }
    }
    if (begun.isEmpty()) {
      return;
    }
    call.seal();
    List<DeliveryOutcome> outcomes = outcomes(route, begun);
    call.end();
    // All are answered at once: a failed one must not take the leases of those after it
    List<Boolean> held = begun.stream().map(Work::answer).toList();
    for (int i = 0; i < begun.size(); i++) {
      answer(begun.get(i), held.get(i), outcomes.get(i));
    }
  }

  /** A topic's own budget may be smaller than the one that the claim went by. */
  private boolean isWithinBudget(Work work) {
    return work.number() <= budget(work);
  }

  /** Not begun: given up if its attempts are spent, else handed back. */
  private void surrender(Work work) {
    if (isWithinBudget(work)) {
      recorder.handBack(work, new Verdict.Back());
    } else {
      recorder.handBack(work, new Verdict.Dead(spent(work)));
    }
    work.run().abortAt(work);
  }

  private String spent(Work work) {
    return "The attempt budget of %d of topic %s is used up.".formatted(budget(work), topic(work));
  }

  private List<DeliveryOutcome> outcomes(Route route, List<Work> works) {
    try {
      List<Attempt> attempts = List.copyOf(works);
      List<DeliveryOutcome> outcomes =
          interceptor.around(attempts, () -> route.call().deliver(attempts));
      if (outcomes == null
          || outcomes.size() != works.size()
          || outcomes.stream().anyMatch(Objects::isNull)) {
        throw new IllegalStateException(
            "A handler or interceptor returned %s for %d deliveries. They are tried again. Return one outcome each."
                .formatted(outcomes, works.size()));
      }
      return outcomes;
    } catch (Throwable e) {
      // Whatever a handler throws, an Error as well, is one failed attempt; the relay goes on
      String error = Errors.text(e);
      tell(works, e, error);
      return Collections.nCopies(works.size(), DeliveryOutcome.retry(error));
    }
  }

  private static void tell(List<Work> works, Throwable thrown, String error) {
    try {
      LOG.warn("The handler failed at {}; it is tried again.", works, thrown);
    } catch (RuntimeException | Error e) {
      LOG.warn("The handler failed at {}; it is tried again. {}", works, error);
    }
  }

  private void answer(Work work, boolean held, DeliveryOutcome outcome) {
    if (!held) {
      recorder.drop(work);
      work.run().abortAt(work);
    } else if (work.run().isAbortedBefore(work)) {
      recorder.add(work, new Verdict.Back()); // an earlier one of its key failed
    } else {
      record(work, outcome);
    }
  }

  private void record(Work work, DeliveryOutcome outcome) {
    if (outcome instanceof Delivered) {
      recorder.add(work, new Verdict.Complete());
    } else if (outcome instanceof Settled) {
      recorder.settled(work);
    } else if (outcome instanceof Retry retry) {
      recorder.add(work, again(work, retry));
      work.run().abortAt(work);
    } else if (outcome instanceof Bury bury) {
      recorder.add(work, new Verdict.Dead(bury.reason()));
      if (options.deadHead() == DeadHeadPolicy.BLOCK) {
        work.run().abortAt(work);
      }
    }
  }

  private Verdict again(Work work, Retry retry) {
    if (work.number() >= budget(work)) {
      return new Verdict.Dead(spent(work) + " Last error: " + retry.reason());
    }
    return new Verdict.Again(
        retry.after().orElseGet(() -> options.backoff().after(work.number(), random())),
        retry.reason());
  }

  private static RandomGenerator random() {
    return ThreadLocalRandom.current();
  }

  private int budget(Work work) {
    return routes.budget(topic(work), options.terms().attemptBudget());
  }

  private static String topic(Work work) {
    return work.delivery().topic();
  }
}
