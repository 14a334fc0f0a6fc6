package dev.fencedoutbox.it.model;

import dev.fencedoutbox.it.model.Write.Verb;
import dev.fencedoutbox.schema.enums.OperatorVerb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What all sequences are made of. */
enum Alphabet {
  /** One delivery without an ordering key. */
  ONE_DELIVERY(Kind.DELIVERIES, List.of(new Enqueue.Event("x", ""))) {
    @Override
    List<Action> steps(World world) {
      List<Action> all = new ArrayList<>();
      all.add(new Claim("worker", newest(world), null, MANY, BUDGET));
      all.addAll(writes(world, 3, VERBS));
      all.addAll(time(world, true));
      operators(world).forEach(all::add);
      return all;
    }
  },

  /** One of the host's jobs. */
  ONE_JOB(Kind.JOBS, List.of(new Enqueue.Event("x", ""))) {
    @Override
    List<Action> steps(World world) {
      List<Action> all = new ArrayList<>();
      all.add(new Claim("worker", newest(world), null, MANY, BUDGET));
      all.addAll(writes(world, 3, VERBS));
      all.addAll(time(world, true));
      world.rows.keySet().forEach(id -> all.add(new Operate(OperatorVerb.REDRIVE, id)));
      return all;
    }
  },

  /** Two deliveries under one ordering key, claimed in runs of two. */
  ONE_KEY(Kind.DELIVERIES, List.of(new Enqueue.Event("x", "key"), new Enqueue.Event("y", "key"))) {
    @Override
    List<Action> steps(World world) {
      List<Action> all = new ArrayList<>();
      all.add(new ClaimInOrder("worker", Set.of("key"), "", MANY, 2, BUDGET));
      all.addAll(writes(world, 2, FEWER_VERBS));
      all.addAll(time(world, false));
      for (Id id : world.rows.keySet()) {
        for (OperatorVerb verb : List.of(OperatorVerb.REDRIVE, OperatorVerb.SKIP)) {
          all.add(new Operate(verb, id));
        }
      }
      return all;
    }
  };

  /** More than there are. */
  static final int MANY = 10_000;

  private static final int BUDGET = 2;
  private static final List<Verb> VERBS =
      List.of(
          Verb.RENEW,
          Verb.RENEW_SHORT,
          Verb.COMPLETE,
          Verb.RETRY,
          Verb.RETRY_LATER,
          Verb.RELEASE,
          Verb.BURY);
  private static final List<Verb> FEWER_VERBS =
      List.of(Verb.RENEW, Verb.COMPLETE, Verb.RETRY, Verb.RELEASE, Verb.BURY);

  final Kind kind;

  @SuppressWarnings("ImmutableEnumChecker") // records in lists that nobody can change
  final Enqueue first;

  Alphabet(Kind kind, List<Enqueue.Event> events) {
    this.kind = kind;
    this.first = new Enqueue(events);
  }

  /** What may be tried next, whether anything comes of it or not. */
  abstract List<Action> steps(World world);

  /** The newest row of each event, whether it is still there or not. */
  private static Set<Id> newest(World world) {
    return world.rows.isEmpty()
        ? world.leases().stream().map(Ref::id).collect(Collectors.toUnmodifiableSet())
        : Set.copyOf(world.rows.keySet());
  }

  /** Under the newest so many leases of each row. */
  private static List<Action> writes(World world, int back, List<Verb> verbs) {
    List<Action> all = new ArrayList<>();
    for (Id id : Set.copyOf(world.leases().stream().map(Ref::id).toList())) {
      List<Ref> leases = world.leases().stream().filter(ref -> ref.id().equals(id)).toList();
      for (Ref lease : leases.subList(Math.max(leases.size() - back, 0), leases.size())) {
        verbs.forEach(verb -> all.add(new Write(verb, List.of(lease))));
      }
    }
    return all;
  }

  private static List<Action> time(World world, boolean waits) {
    List<Action> all = new ArrayList<>();
    for (Id id : world.rows.keySet()) {
      all.add(new Pass(Pass.What.LEASE, Set.of(id)));
      if (waits) {
        all.add(new Pass(Pass.What.WAIT, Set.of(id)));
      }
    }
    return all;
  }

  private static Stream<Action> operators(World world) {
    return Stream.concat(
        Stream.of(new Replay("x"), Enqueue.of("x", "")),
        Stream.concat(
            world.messages.containsKey("x")
                ? Stream.of(new Purge("x", Duration.ZERO))
                : Stream.empty(),
            world.rows.keySet().stream()
                .flatMap(
                    id ->
                        Stream.of(
                            new Operate(OperatorVerb.REDRIVE, id),
                            new Operate(OperatorVerb.DISCARD, id)))));
  }
}
