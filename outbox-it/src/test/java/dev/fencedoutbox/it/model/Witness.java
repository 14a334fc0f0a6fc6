package dev.fencedoutbox.it.model;

import dev.fencedoutbox.it.model.Answer.Grant;
import dev.fencedoutbox.it.model.Answer.Written;
import dev.fencedoutbox.it.model.Tables.Receipt;
import dev.fencedoutbox.schema.enums.OperatorVerb;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Watches what the database holds before and after each step, and what the step answered, for
 * breaches of what must hold whatever the model says. It knows nothing of the model, so that a
 * mistake that both share is still seen.
 */
final class Witness {

  private final Map<Id, Long> newestEpochs = new HashMap<>();
  private final Set<Ref> handedOut = new HashSet<>();
  private long newestNumber;

  /** What was broken by those steps, none of which changes what another one changes. */
  List<String> breaches(List<Action> actions, Answer answer, Tables before, Tables after) {
    Scene scene = new Scene(actions, answer, before, after);
    answer.granted().forEach(grant -> granted(grant, scene));
    answer.written().forEach(written -> written(written, scene));
    before.rows().values().forEach(row -> kept(row, scene));
    after.rows().values().stream()
        .filter(row -> !before.rows().containsKey(row.id()))
        .forEach(row -> made(row, scene));
    finished(scene);
    after.rows().values().forEach(row -> newestNumber = Math.max(newestNumber, row.number()));
    return scene.breaches;
  }

  /** One look at the database before some steps, and one after them. */
  private static final class Scene {
    final List<Action> actions;
    final Tables before;
    final Tables after;
    final Set<Id> named = new HashSet<>();
    final Set<String> pending;
    final Set<String> sent;
    final Set<Receipt> receipts;
    final List<String> breaches = new ArrayList<>();

    Scene(List<Action> actions, Answer answer, Tables before, Tables after) {
      this.actions = actions;
      this.before = before;
      this.after = after;
      this.pending =
          before.rows().keySet().stream().map(Id::event).collect(Collectors.toUnmodifiableSet());
      this.sent =
          before.receipts().stream()
              .map(receipt -> receipt.delivery().event())
              .collect(Collectors.toUnmodifiableSet());
      this.receipts = new HashSet<>(after.receipts());
      named.addAll(answer.touched());
      answer.granted().forEach(grant -> named.add(grant.lease().id()));
      answer.written().stream()
          .filter(Written::accepted)
          .forEach(written -> named.add(written.lease().id()));
    }

    boolean has(Class<? extends Action> kind) {
      return actions.stream().anyMatch(kind::isInstance);
    }

    /** Whether an operator did that to the row. */
    boolean has(OperatorVerb verb, Id id) {
      return actions.stream()
          .anyMatch(
              action ->
                  action instanceof Operate operate
                      && operate.verb() == verb
                      && (operate.id() == null || operate.id().equals(id)));
    }

    void require(boolean holds, String breach, Object of) {
      if (!holds) {
        breaches.add(breach + ": " + of);
      }
    }
  }

  private void granted(Grant grant, Scene scene) {
    Ref lease = grant.lease();
    Row row = scene.before.rows().get(lease.id());
    scene.require(handedOut.add(lease), "An epoch came twice", lease);
    scene.require(newest(lease) < lease.epoch(), "An epoch went back", lease);
    newestEpochs.merge(lease.id(), lease.epoch(), Math::max);
    scene.require(
        row == null || !row.isLeased(scene.before.clock()),
        "Two live leases on one row",
        Arrays.asList(lease, row));
  }

  private void written(Written written, Scene scene) {
    scene.require(
        !written.accepted() || written.lease().epoch() == newest(written.lease()),
        "A superseded epoch wrote",
        written.lease());
  }

  private long newest(Ref lease) {
    return newestEpochs.getOrDefault(lease.id(), 0L);
  }

  private static void kept(Row row, Scene scene) {
    Row now = scene.after.rows().get(row.id());
    scene.require(
        row.equals(now) || scene.named.contains(row.id()),
        "Changed though nobody said so",
        Arrays.asList(row, now));
    if (now == null) {
      gone(row, scene);
      return;
    }
    scene.require(now.epoch() >= row.epoch(), "An epoch went back", Arrays.asList(row, now));
    boolean redriven = row.state() == Row.State.DEAD && scene.has(OperatorVerb.REDRIVE, row.id());
    boolean over = row.state() == Row.State.DONE || row.state() == Row.State.DEAD;
    scene.require(
        !over || redriven || now.state() == row.state(), "Resurrected", Arrays.asList(row, now));
  }

  private static void gone(Row row, Scene scene) {
    boolean completed = scene.receipts.contains(new Receipt(row.id(), row.epoch(), row.attempts()));
    boolean replaced =
        scene.has(OperatorVerb.REDRIVE, row.id())
            && scene.after.rows().containsKey(new Id(row.id().event(), row.id().n() + 1));
    scene.require(completed || replaced || scene.has(OperatorVerb.DISCARD, row.id()), "Lost", row);
  }

  private void made(Row row, Scene scene) {
    String event = row.id().event();
    boolean pending = scene.pending.contains(event);
    boolean isNew = scene.has(Enqueue.class) && !scene.before.messages().containsKey(event);
    boolean again = scene.has(Replay.class) && scene.sent.contains(event) && !pending;
    boolean atTail = scene.has(OperatorVerb.REDRIVE, new Id(event, row.id().n() - 1)) && pending;
    scene.require(isNew || again || atTail, "Resurrected", row);
    scene.require(row.number() > newestNumber, "A number came twice", row);
    scene.require(row.epoch() == 0, "Made with an epoch", row);
  }

  /** What is over goes by a purge alone, and nothing that is still to be done goes. */
  private static void finished(Scene scene) {
    Set<String> gone = new HashSet<>(scene.before.messages().keySet());
    gone.removeAll(scene.after.messages().keySet());
    gone.forEach(
        event ->
            scene.require(
                scene.has(Purge.class) && !scene.pending.contains(event), "Lost message", event));
    scene.before.receipts().stream()
        .filter(receipt -> !scene.receipts.contains(receipt))
        .forEach(
            receipt ->
                scene.require(gone.contains(receipt.delivery().event()), "Lost receipt", receipt));
  }
}
