package dev.fencedoutbox.it.model;

import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jooq.DSLContext;

/** Somebody says something, or says it again; as a job, it is only said once. */
record Enqueue(List<Event> events) implements Action {

  /** An event, and its ordering key, or "" without one. */
  record Event(String name, String key) {}

  static Enqueue of(String event, String key) {
    return new Enqueue(List.of(new Event(event, key)));
  }

  @Override
  public Answer inModel(World world, Time now) {
    List<String> outcomes = new ArrayList<>();
    for (Event event : events) {
      EnqueueOutcome outcome = EnqueueOutcome.DUPLICATE;
      if (!world.messages.containsKey(event.name())) {
        outcome = EnqueueOutcome.CREATED;
        if (world.kind == Kind.DELIVERIES) {
          world.messages.put(event.name(), event.key());
        }
        Row unused = world.add(event.name(), event.key().isEmpty() ? null : event.key(), now);
      }
      outcomes.add(outcome.name());
    }
    return Answer.ofWord(outcomes);
  }

  @Override
  public Answer inDatabase(Product product, DSLContext dsl) {
    if (product.kind == Kind.JOBS) {
      List<EnqueueOutcome> created = new ArrayList<>();
      for (Event event : events) {
        long unused = Fixtures.job(dsl, event.name());
        created.add(EnqueueOutcome.CREATED);
      }
      return Answer.ofWord(created);
    }
    return Answer.ofWord(
        Outbox.create().enqueueAll(dsl, events.stream().map(Enqueue::message).toList()));
  }

  private static Message message(Event event) {
    Message message = Fixtures.message(event.name());
    return event.key().isEmpty() ? message : message.orderingKey(event.key());
  }

  @Override
  public Action renamed(UnaryOperator<String> names) {
    return new Enqueue(
        events.stream()
            .map(
                event ->
                    new Event(
                        names.apply(event.name()),
                        event.key().isEmpty() ? "" : names.apply(event.key())))
            .toList());
  }

  @Override
  public String toString() {
    return "enqueue " + events;
  }
}
