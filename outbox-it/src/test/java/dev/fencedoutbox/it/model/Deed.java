package dev.fencedoutbox.it.model;

import static java.util.Objects.requireNonNull;

import dev.fencedoutbox.it.model.Write.Verb;
import dev.fencedoutbox.schema.enums.OperatorVerb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What somebody may do next in a random sequence, the more often the higher its weight. */
enum Deed {
  CLAIM(10),
  CLAIM_IN_ORDER(8),
  WRITE(20),
  SETTLE(12),
  ROLL_CALL(2),
  LEASE_ENDS(9),
  WAIT_ENDS(5),
  REDRIVE(3),
  SKIP(2),
  DISCARD(1),
  REPLAY(4),
  PURGE(2),
  ENQUEUE(10);

  private static final List<String> WORKERS = List.of("A", "B", "C");
  private static final int TOTAL = List.of(values()).stream().mapToInt(deed -> deed.weight).sum();

  /** Two ordering keys, and three events without one. */
  private static final List<Enqueue.Event> EVENTS =
      List.of(
          new Enqueue.Event("a", ""),
          new Enqueue.Event("b", ""),
          new Enqueue.Event("c", ""),
          new Enqueue.Event("k1", "K"),
          new Enqueue.Event("k2", "K"),
          new Enqueue.Event("k3", "K"),
          new Enqueue.Event("l1", "L"),
          new Enqueue.Event("l2", "L"));

  private final int weight;

  Deed(int weight) {
    this.weight = weight;
  }

  /** What that choice means in this world, if anything. */
  static Optional<Action> of(Choice choice, World world, boolean inOrder) {
    int left = choice.what() % TOTAL;
    for (Deed deed : values()) {
      left -= deed.weight;
      if (left < 0) {
        return deed.action(choice, world, inOrder);
      }
    }
    throw new IllegalStateException();
  }

  private Optional<Action> action(Choice choice, World world, boolean inOrder) {
    boolean deliveries = world.kind == Kind.DELIVERIES;
    String worker = pick(WORKERS, choice.first());
    int limit = 1 + choice.second() % 4;
    int budget = 2 + choice.third() % 3;
    return switch (this) {
      case CLAIM ->
          Optional.of(
              new Claim(worker, null, choice.third() % 5 == 0 ? world.floor : null, limit, budget));
      case CLAIM_IN_ORDER ->
          deliveries
              ? Optional.of(
                  new ClaimInOrder(worker, null, world.walkedTo, limit, Math.min(limit, 3), budget))
              : Optional.empty();
      case WRITE -> write(choice, world, inOrder);
      case SETTLE -> inOrder ? settle(choice, world) : Optional.empty();
      case ROLL_CALL ->
          row(choice.first(), world, row -> row.epoch() > 0)
              .map(row -> new Write(Verb.HOLD, leasesOn(row.id(), world)));
      case LEASE_ENDS ->
          row(choice.first(), world, row -> row.state() == Row.State.LEASED)
              .map(row -> new Pass(Pass.What.LEASE, together(row, world)));
      case WAIT_ENDS ->
          row(choice.first(), world, row -> row.state() == Row.State.READY)
              .map(row -> new Pass(Pass.What.WAIT, Set.of(row.id())));
      case REDRIVE -> operate(OperatorVerb.REDRIVE, choice, world);
      case SKIP -> deliveries ? operate(OperatorVerb.SKIP, choice, world) : Optional.empty();
      case DISCARD -> deliveries ? operate(OperatorVerb.DISCARD, choice, world) : Optional.empty();
      case REPLAY ->
          deliveries
              ? Optional.of(new Replay(pick(EVENTS, choice.first()).name()))
              : Optional.empty();
      case PURGE ->
          deliveries
              ? Optional.of(new Purge(null, Duration.ofDays(choice.first() % 3 == 0 ? 1 : 0)))
              : Optional.empty();
      case ENQUEUE -> enqueue(choice, world);
    };
  }

  private static Optional<Action> write(Choice choice, World world, boolean inOrder) {
    List<Ref> leases =
        world.leases().stream()
            .filter(lease -> !inOrder || world.isFree(lease.id().event()))
            .toList();
    if (leases.isEmpty()) {
      return Optional.empty();
    }
    Verb verb = pick(List.of(Verb.values()), choice.first());
    List<Ref> some = new ArrayList<>();
    for (int i = 0; i <= choice.second() % 3; i++) {
      Ref lease = mostlyNew(leases, choice.third() / (i + 1));
      if (!some.contains(lease)) {
        some.add(lease);
      }
    }
    return Optional.of(new Write(verb, some));
  }

  /** The worker of a run goes on with it, or ends it, whether it still holds or not. */
  private static Optional<Action> settle(Choice choice, World world) {
    List<List<Ref>> runs =
        world.runs.stream()
            .filter(run -> !world.isFree(run.get(0).id().event()))
            .map(run -> run.stream().filter(lease -> !world.ended.contains(lease)).toList())
            .filter(run -> !run.isEmpty())
            .toList();
    if (runs.isEmpty()) {
      return Optional.empty();
    }
    List<Ref> run = mostlyNew(runs, choice.first());
    int done = choice.second() % (run.size() + 1);
    List<Action> writes = new ArrayList<>();
    if (done > 0) {
      writes.add(new Write(Verb.COMPLETE, run.subList(0, done)));
    }
    List<Ref> rest = run.subList(done, run.size());
    Verb verb =
        pick(
            List.of(Verb.RENEW, Verb.HOLD, Verb.RETRY, Verb.RETRY_LATER, Verb.BURY, Verb.RELEASE),
            choice.third());
    if (!rest.isEmpty()) {
      boolean one = verb != Verb.RENEW && verb != Verb.HOLD && verb != Verb.RELEASE;
      writes.add(new Write(verb, one ? rest.subList(0, 1) : rest));
      if (one && rest.size() > 1) {
        writes.add(new Write(Verb.RELEASE, rest.subList(1, rest.size())));
      }
    }
    return Optional.of(new InOne(writes));
  }

  /** The row, and under an ordering key whatever ends before it. */
  private static Set<Id> together(Row row, World world) {
    Time until = requireNonNull(row.leaseUntil());
    return world
        .rows(
            other ->
                other.id().equals(row.id())
                    || (row.key() != null
                        && row.key().equals(other.key())
                        && other.leaseUntil() != null
                        && other.leaseUntil().to() <= until.to()))
        .stream()
        .map(Row::id)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Optional<Action> operate(OperatorVerb verb, Choice choice, World world) {
    if (choice.second() % 3 == 0) {
      return Optional.of(new Operate(verb, null));
    }
    Predicate<Row> which = row -> row.state() == Row.State.DEAD || choice.second() % 3 == 1;
    return row(choice.first(), world, which).map(row -> new Operate(verb, row.id()));
  }

  private static Optional<Action> enqueue(Choice choice, World world) {
    if (world.kind == Kind.JOBS) {
      String name = "j" + choice.first() % 5;
      return world.isPending(name) ? Optional.empty() : Optional.of(Enqueue.of(name, ""));
    }
    Enqueue.Event one = pick(EVENTS, choice.first());
    Enqueue.Event another = pick(EVENTS, choice.second());
    return Optional.of(new Enqueue(one.equals(another) ? List.of(one) : List.of(one, another)));
  }

  private static List<Ref> leasesOn(Id id, World world) {
    return world.leases().stream().filter(lease -> lease.id().equals(id)).toList();
  }

  private static Optional<Row> row(int number, World world, Predicate<Row> which) {
    List<Row> rows = world.rows(which);
    return rows.isEmpty() ? Optional.empty() : Optional.of(pick(rows, number));
  }

  private static <T> T pick(List<T> all, int number) {
    return all.get(number % all.size());
  }

  /** One of the newest in most cases. */
  private static <T> T mostlyNew(List<T> all, int number) {
    double back = (number % 1_000) / 1_000.0;
    return all.get(all.size() - 1 - (int) (all.size() * back * back * back));
  }
}
