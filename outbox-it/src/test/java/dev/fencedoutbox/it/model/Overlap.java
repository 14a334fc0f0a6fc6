package dev.fencedoutbox.it.model;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Together;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jooq.DSLContext;

/**
 * Lets two transactions overlap: one takes its step and stays open, the other takes its own, in
 * full or until it waits for the first; then the first commits or rolls back. What came of it must
 * be what one of the two gives after the other.
 */
final class Overlap implements AutoCloseable {

  private static final long GLANCE_MILLIS = 1;
  private static final long PATIENCE_SECONDS = 60;

  private final TestDatabase database;
  private final Kind kind;
  private final Connection first;
  private final Connection second;
  private final DSLContext onFirst;
  private final DSLContext onSecond;
  private final DSLContext observer;
  private final int firstPid;
  private final int secondPid;
  private final Together threads = new Together();
  private int pairs;
  private int waits;

  /** Two connections, and what a host adds to its contexts. */
  Overlap(TestDatabase database, Kind kind, UnaryOperator<DSLContext> host) throws SQLException {
    this.database = database;
    this.kind = kind;
    this.first = database.connect();
    this.second = database.connect();
    this.observer = database.dsl();
    this.firstPid = Together.pid(TestDatabase.on(first));
    this.secondPid = Together.pid(TestDatabase.on(second));
    this.onFirst = host.apply(TestDatabase.on(first));
    this.onSecond = host.apply(TestDatabase.on(second));
    first.setAutoCommit(false);
    second.setAutoCommit(false);
  }

  /** Two steps, and whether the one that comes first commits. */
  record Pair(Action one, Action other, boolean commits) {

    Pair renamed(UnaryOperator<String> events) {
      return new Pair(one.renamed(events), other.renamed(events), commits);
    }

    Pair rolledBack() {
      return new Pair(one, other, false);
    }

    /** Whether nothing would come of either by itself: then neither minds the other. */
    boolean isVain(World world, Time now) {
      return !one.isEffectiveIn(world, now) && !other.isEffectiveIn(world, now);
    }
  }

  /** How many pairs there were. */
  int pairs() {
    return pairs;
  }

  /** How often the second had to wait for the first. */
  int waits() {
    return waits;
  }

  /**
   * Has each two of {@code wishes} overlap after {@code before}, on rows of their own. A rollback
   * of the first is only tried where the second met its locks.
   */
  void check(List<Action> before, List<Action> wishes) throws SQLException {
    World world = new World(kind);
    for (int i = 0; i < before.size(); i++) {
      Answer unused = before.get(i).inModel(world, at(i));
    }
    List<Pair> all = new ArrayList<>();
    for (Action one : wishes) {
      for (Action other : wishes) {
        Pair pair = new Pair(one, other, true);
        if (!pair.isVain(world, at(before.size()))) {
          all.add(pair);
        }
      }
    }
    List<Pair> met = checkAll(before, all);
    List<Pair> unused = checkAll(before, met.stream().map(Pair::rolledBack).toList());
  }

  private static Time at(int number) {
    return Time.at(number * 1_000_000L);
  }

  /** Those where the second met locks of the first. */
  private List<Pair> checkAll(List<Action> before, List<Pair> all) throws SQLException {
    database.clear();
    Check start = new Check(observer, kind);
    for (Action action : before) {
      List<Action> ofAll = new ArrayList<>();
      for (int i = 0; i < all.size(); i++) {
        ofAll.add(action.renamed(numbered(i)));
      }
      start.steps(Calls.joined(ofAll));
    }
    List<Pair> met = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Pair pair = all.get(i);
      boolean waited = overlap(start, before, pair.renamed(numbered(i)), "-" + i);
      if (waited || pair.other().passesByLockedRows()) {
        met.add(pair);
      }
    }
    return met;
  }

  private static UnaryOperator<String> numbered(int number) {
    return name -> name + "-" + number;
  }

  private boolean overlap(Check start, List<Action> before, Pair pair, String suffix)
      throws SQLException {
    World world = start.world().part(event -> event.endsWith(suffix));
    long began = start.seen().clock().from();
    Answer one = pair.one().inDatabase(start.product(), onFirst);
    long between = start.clock();
    Future<Answer> answer = threads.start(() -> inFull(pair.other(), start.product()));
    boolean waited = isWaiting(answer);
    if (pair.commits()) {
      first.commit();
    } else {
      first.rollback();
    }
    List<String> story = new ArrayList<>(before.stream().map(Action::toString).toList());
    story.add("first, open: " + pair.one() + " -> " + one);
    String second = "second, " + (waited ? "waiting: " : "meanwhile: ") + pair.other();
    Answer other = answerOf(answer, story, second);
    Tables seen = start.read(events(world, pair));
    pairs++;
    waits += waited ? 1 : 0;
    Serial serial =
        new Serial(world, pair, new Time(began, between), new Time(between, seen.clock().to()));
    List<String> wrong = new ArrayList<>(serial.differences(one, other, seen));
    if (waited && pair.other().neverWaits()) {
      wrong.add("It waited for a lock, and must not");
    }
    if (!wrong.isEmpty()) {
      story.add(second + " -> " + other);
      story.add("first " + (pair.commits() ? "commits" : "rolls back"));
      throw new Counterexample(story, wrong);
    }
    return waited;
  }

  /** What the database refuses is no answer that a model gives. */
  private static Answer answerOf(Future<Answer> second, List<String> story, String what) {
    try {
      return second.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      story.add(what);
      throw new Counterexample(story, List.of("It failed: " + e.getCause()));
    } catch (TimeoutException e) {
      throw new AssertionError("It did not end: " + what, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static Set<String> events(World world, Pair pair) {
    Set<String> events = new HashSet<>(world.events());
    for (Action action : List.of(pair.one(), pair.other())) {
      if (action instanceof Enqueue enqueue) {
        enqueue.events().forEach(event -> events.add(event.name()));
      }
    }
    return events;
  }

  private Answer inFull(Action action, Product product) throws SQLException {
    Answer answer = action.inDatabase(product, onSecond);
    second.commit();
    return answer;
  }

  /** Whether it waits for the first; it has ended otherwise. */
  private boolean isWaiting(Future<Answer> answer) {
    while (true) {
      try {
        Answer unused = answer.get(GLANCE_MILLIS, TimeUnit.MILLISECONDS);
        return false;
      } catch (TimeoutException e) {
        if (isBlocked()) {
          return true;
        }
      } catch (ExecutionException e) {
        return false; // and it has failed
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
    }
  }

  private boolean isBlocked() {
    return Objects.requireNonNull(
        observer
            .fetchSingle("select ? = any(pg_blocking_pids(?))", firstPid, secondPid)
            .get(0, Boolean.class));
  }

  @Override
  public void close() throws SQLException {
    first.close();
    threads.close();
    second.close();
  }
}
