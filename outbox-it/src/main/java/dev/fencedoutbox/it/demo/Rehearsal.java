package dev.fencedoutbox.it.demo;

import dev.fencedoutbox.it.process.Waiting;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Delivers everything through relays in processes of their own, of which the first is killed and
 * the second frozen past its leases and thawed. The third replaces them.
 *
 * <p>Each of the first two is struck when it has delivered about a quarter of the events at the
 * most, so neither can finish the work before the other is struck; and the third starts when both
 * are, so that even with one order there is something left to strike at.
 */
final class Rehearsal implements AutoCloseable {

  private final Receiver receiver;
  private final String databaseUrl;
  private final Deliveries deliveries;
  private final PrintStream out;
  private final List<RelayProcess> relays = new ArrayList<>();

  Rehearsal(Receiver receiver, String databaseUrl, Deliveries deliveries, PrintStream out) {
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
    int share = Math.max(1, messages / 4 - BillingRelay.CAPACITY / 2);
    RelayProcess first = start("relay-1", share);
    RelayProcess second = start("relay-2", share);
    await(first);
    await(second);
    first.go();
    second.go();
    // Whichever comes first: with few orders the one gets them only when the other has lost them
    Waiting.until(
        () -> first.isHolding() || second.isHolding(), "Neither relay delivered its share");
    List<Deliveries.Hold> held;
    if (second.isHolding()) {
      held = freeze(second);
      kill(first);
    } else {
      kill(first);
      held = freeze(second);
    }
    RelayProcess third = start("relay-3", Ambush.NEVER);
    await(third);
    third.go();
    thaw(second, held);
    Waiting.until(
        () -> deliveries.waiting() + deliveries.leased() == 0, "The deliveries did not all end");
    stop(second);
    stop(third);
    Waiting.until(receiver::isCaughtUp, "Billing did not take all that was delivered");
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

  private RelayProcess start(String name, int heldFrom) {
    RelayProcess relay = new RelayProcess(name, databaseUrl, receiver.endpoint(), heldFrom);
    relays.add(relay);
    return relay;
  }

  private static void await(RelayProcess relay) {
    Waiting.until(relay::isReady, relay.name() + " did not start");
  }

  private void kill(RelayProcess relay) {
    Waiting.until(relay::isHolding, relay.name() + " did not deliver its share");
    int held = deliveries.heldBy(relay.name()).size();
    int status = relay.kill();
    out.printf(
        "%s killed by SIGKILL (exit status %d) while it held %d leases%n",
        relay.name(), status, held);
  }

  private List<Deliveries.Hold> freeze(RelayProcess relay) {
    Waiting.until(relay::isHolding, relay.name() + " did not deliver its share");
    relay.freeze();
    List<Deliveries.Hold> held = deliveries.heldBy(relay.name());
    out.printf("%s frozen by SIGSTOP while it holds %d leases%n", relay.name(), held.size());
    return held;
  }

  private void thaw(RelayProcess relay, List<Deliveries.Hold> held) {
    Waiting.until(
        () -> deliveries.supersede(held), "The leases of " + relay.name() + " were not reclaimed");
    relay.release(); // it finds this when it wakes up, and records
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
