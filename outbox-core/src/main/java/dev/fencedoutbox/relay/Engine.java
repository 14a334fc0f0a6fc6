package dev.fencedoutbox.relay;

import dev.fencedoutbox.internal.Signal;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Outbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/** The rooms of a relay and the doors between them; no thread of its own. */
final class Engine {

  /** What a relay is made of. */
  record Parts(
      RelayDatabase database,
      Outbox outbox,
      Channel channel,
      Leases leases,
      Routes routes,
      RelayOptions options,
      DeliveryInterceptor interceptor,
      LongSupplier nanoClock) {}

  private final RelayOptions options;
  private final Tally tally = new Tally();
  private final Signal wakeups = new Signal();
  private final Signal room = new Signal();
  private final Holdings holdings = new Holdings(room::raise);
  private final Ahead ahead;
  private final Recorder recorder;
  private final Deliverer deliverer;
  private final Dispatcher dispatcher;
  private final Claimer claimer;
  private final Renewer renewer;
  private final Watch watch;

  Engine(Parts parts, Executor executor) {
    this.options = parts.options();
    this.ahead = new Ahead(options.concurrency(), options.prefetch());
    this.recorder =
        new Recorder(
            parts.database(),
            new RecordStatements(parts.leases(), options),
            holdings,
            tally,
            parts.nanoClock());
    this.deliverer =
        new Deliverer(parts.routes(), options, parts.interceptor(), recorder, parts.nanoClock());
    this.dispatcher = new Dispatcher(deliverer, parts.routes(), executor, options.concurrency());
    this.claimer = new Claimer(parts, ahead, holdings, tally);
    this.renewer = new Renewer(parts, holdings, tally);
    this.watch = new Watch(parts, this);
  }

  /** Whether to claim now: not for a few at a time, unless nothing waits. */
  boolean isWorthwhile() {
    int capacity = ahead.capacity();
    int free = capacity - holdings.size();
    return free >= Math.max(1, Math.min(options.claimBatch(), capacity) / 2)
        || (free > 0 && dispatcher.isEmpty());
  }

  /** Claims, and queues what it brought. */
  Tried<Claimer.Step> claim() {
    boolean dry = dispatcher.isEmpty();
    Set<Long> atWork = holdings.rowsAtWork();
    List<Run> runs = new ArrayList<>();
    try {
      Tried<Claimer.Step> tried = claimer.claim(runs);
      if (tried instanceof Tried.Done<Claimer.Step> done && dry && done.value().more()) {
        ahead.ranDry();
      }
      runs.forEach(run -> deliverer.refuseStuck(run, atWork));
      return tried;
    } finally {
      dispatcher.add(runs);
    }
  }

  /** Begins nothing more, and hands back what waits for a handler. */
  void releaseWaiting() {
    deliverer.stop();
    dispatcher.stop();
    dispatcher.takeOut(run -> true, work -> recorder.handBack(work, new Verdict.Back()));
  }

  RelayCounters counters() {
    return tally.with(holdings);
  }

  Tally tally() {
    return tally;
  }

  /** Raised when there may be work. */
  Signal wakeups() {
    return wakeups;
  }

  /** Raised when a delivery has left this relay's hands. */
  Signal room() {
    return room;
  }

  Holdings holdings() {
    return holdings;
  }

  Ahead ahead() {
    return ahead;
  }

  Recorder recorder() {
    return recorder;
  }

  Dispatcher dispatcher() {
    return dispatcher;
  }

  Deliverer deliverer() {
    return deliverer;
  }

  Renewer renewer() {
    return renewer;
  }

  Watch watch() {
    return watch;
  }
}
