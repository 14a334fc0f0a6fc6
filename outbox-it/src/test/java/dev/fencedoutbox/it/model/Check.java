package dev.fencedoutbox.it.model;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jooq.DSLContext;

/**
 * Takes steps on the database and on the model and compares both after each: every answer, every
 * column of every row, and the invariants. For one thread.
 */
final class Check {

  private static final int SHOWN = 8;

  private final DSLContext dsl;
  private final Product product;
  private final Reader reader;
  private final Witness witness = new Witness();
  private final List<KeyOrder> orders;
  private final World world;
  private final List<String> trace = new ArrayList<>();
  private Tables seen;

  /** A check on a database whose tables are empty. */
  Check(DSLContext dsl, Kind kind) {
    this(dsl, kind, List.of());
  }

  private Check(DSLContext dsl, Kind kind, List<KeyOrder> orders) {
    this.dsl = dsl;
    this.orders = orders;
    this.product = new Product(kind);
    this.reader = new Reader(product);
    this.world = new World(kind);
    this.seen = read();
  }

  /** The same that also demands the order under ordering keys. */
  static Check inOrder(DSLContext dsl, Kind kind) {
    return new Check(dsl, kind, List.of(new KeyOrder()));
  }

  World world() {
    return world;
  }

  Product product() {
    return product;
  }

  /** What the database held after the latest step. */
  Tables seen() {
    return seen;
  }

  /** What was done and answered so far. */
  List<String> trace() {
    return List.copyOf(trace);
  }

  /** What the database holds now. */
  Tables read() {
    return Objects.requireNonNull(dsl.connectionResult((Connection c) -> reader.read(c)));
  }

  /** The same of these events. */
  Tables read(Set<String> events) {
    return Objects.requireNonNull(dsl.connectionResult((Connection c) -> reader.read(c, events)));
  }

  /** A reading of the database's clock. */
  long clock() {
    return Objects.requireNonNull(dsl.connectionResult((Connection c) -> reader.clock(c))).to();
  }

  /** Takes one step. */
  void step(Action action) {
    steps(List.of(action));
  }

  /** Takes several steps, none of which changes a row that another changes, and compares then. */
  void steps(List<Action> actions) {
    List<Answer> answers = new ArrayList<>();
    for (Action action : actions) {
      answers.add(dsl.transactionResult(tx -> action.inDatabase(product, tx.dsl())));
    }
    Tables before = seen;
    seen = read();
    Time now = new Time(before.clock().from(), seen.clock().to());
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < actions.size(); i++) {
      Answer foretold = actions.get(i).inModel(world, now);
      trace.add(actions.get(i) + " -> " + answers.get(i));
      if (!foretold.equals(answers.get(i))) {
        wrong.add("The model says " + foretold + " and the product " + answers.get(i));
      }
    }
    Answer joined = Answer.joined(answers);
    wrong.addAll(witness.breaches(actions, joined, before, seen));
    orders.forEach(order -> wrong.addAll(order.breaches(joined, before, seen)));
    wrong.addAll(world.differences(seen));
    if (!wrong.isEmpty()) {
      throw new Counterexample(trace, wrong.subList(0, Math.min(wrong.size(), SHOWN)));
    }
    world.settle(seen);
  }
}
