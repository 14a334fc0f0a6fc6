package dev.fencedoutbox.it.demo;

import dev.fencedoutbox.it.process.Waiting;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Delivers everything through relays in processes of their own, of which the first is killed and
 * the second frozen past its leases and thawed. The third replaces them.
 *
 * <p>Each of the first two is struck when it has posted less than a quarter of the events, so
 * neither can finish the work before the other is struck; and the third starts when both are, so
 * that even with one order there is something left to strike at.
 */
final class Rehearsal implements AutoCloseable {

  private final BillingReceiver receiver;
  private final String databaseUrl;
  private final Deliveries deliveries;
  private final PrintStream out;
  private final List<RelayProcess> relays = new ArrayList<>();

  Rehearsal(BillingReceiver receiver, String databaseUrl, Deliveries deliveries, PrintStream out) {
    this.receiver = receiver;
    this.databaseUrl = databaseUrl;
    this.deliveries = deliveries;
    this.out = out;
  }

  /**
   * Runs until nothing is waiting or leased.
   *
   * @param messages how many there are, at least one
   * @throws Stalled if that takes too long
   */
  void run(int messages) {
    RelayProcess first = start("relay-1");
    RelayProcess second = start("relay-2");
    Ambush onFirst = ambush(first, messages);
    Ambush onSecond = ambush(second, messages);
    await(first);
    await(second);
    first.go();
    second.go();
    // Whichever comes first: with few orders the one gets them only when the other has lost them
    Waiting.until(
        () -> onFirst.isSprung() || onSecond.isSprung(), "Neither relay posted its share");
    List<Deliveries.Hold> held;
    if (onSecond.isSprung()) {
      held = freeze(second, onSecond);
      kill(first, onFirst);
    } else {
      kill(first, onFirst);
      held = freeze(second, onSecond);
    }
    RelayProcess third = start("relay-3");
    await(third);
    third.go();
    thaw(second, held, onSecond);
    Waiting.until(
        () -> deliveries.waiting() + deliveries.leased() == 0, "The deliveries did not all end");
    stop(second);
    stop(third);
  }

  /** Writes that were refused, of all relays together. */
  long refused() {
    return relays.stream().mapToLong(relay -> relay.tally().refused()).sum();
  }

  /** Leases that were lost with nothing written under them, of all relays together. */
  long lost() {
    return relays.stream().mapToLong(relay -> relay.tally().lost()).sum();
  }

  /** What each relay has done. */
  List<String> report() {
    return relays.stream().map(relay -> relay.name() + "  " + relay.tally().words()).toList();
  }

  private RelayProcess start(String name) {
    RelayProcess relay = new RelayProcess(name, databaseUrl, receiver.endpoint());
    relays.add(relay);
    return relay;
  }

  private Ambush ambush(RelayProcess victim, int messages) {
    int share = messages / 4 - BillingRelay.CAPACITY / 2;
    Ambush ambush = new Ambush(victim.name(), Math.max(1, share));
    receiver.watch(ambush);
    return ambush;
  }

  private static void await(RelayProcess relay) {
    Waiting.until(relay::isReady, relay.name() + " did not start");
  }

  private void kill(RelayProcess relay, Ambush ambush) {
    Waiting.until(ambush::isSprung, relay.name() + " did not post its share");
    int held = deliveries.heldBy(relay.name()).size();
    int status = relay.kill();
    ambush.release();
    out.printf(
        "%s killed by SIGKILL (exit status %d) while it held %d leases%n",
        relay.name(), status, held);
  }

  private List<Deliveries.Hold> freeze(RelayProcess relay, Ambush ambush) {
    Waiting.until(ambush::isSprung, relay.name() + " did not post its share");
    relay.freeze();
    List<Deliveries.Hold> held = deliveries.heldBy(relay.name());
    out.printf("%s frozen by SIGSTOP while it holds %d leases%n", relay.name(), held.size());
    return held;
  }

  private void thaw(RelayProcess relay, List<Deliveries.Hold> held, Ambush ambush) {
    Waiting.until(
        () -> deliveries.supersede(held), "The leases of " + relay.name() + " were not reclaimed");
    ambush.release(); // its answers lie ready when it wakes up
    relay.thaw();
    out.printf("%s thawed: its leases ran out and others have claimed those rows%n", relay.name());
    Waiting.until(
        () -> relay.tally().refused() + relay.tally().lost() > 0,
        relay.name() + " neither was refused nor dropped anything, though it came late");
    RelayTally tally = relay.tally();
    out.printf(
        "%s came late: the database refused %d of its writes, and it dropped %d leases by itself%n",
        relay.name(), tally.refused(), tally.lost());
  }

  private static void stop(RelayProcess relay) {
    int status = relay.stop();
    if (status != 0) {
      throw new IllegalStateException(
          "%s ended with exit status %d.".formatted(relay.name(), status));
    }
  }

  @Override
  public void close() {
    relays.forEach(RelayProcess::close);
  }
}
