package dev.fencedoutbox.it.model;

import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.it.model.Answer.Grant;
import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.lease.Claims;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Channel;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jooq.Condition;
import org.jooq.Field;

/**
 * What is checked: the tables of one database as the model names them, and the leases that the
 * product has handed out. Its maps are for several threads.
 */
final class Product {

  static final Channel CHANNEL = Channel.DEFAULT;

  final Kind kind;
  private final Map<Ref, Lease<Long>> leases = new ConcurrentHashMap<>();
  private final Map<Long, Id> names = new ConcurrentHashMap<>();
  private final Map<Id, Long> numbers = new ConcurrentHashMap<>();
  private final Map<String, Integer> made = new HashMap<>();
  private final Map<String, Long> messages = new ConcurrentHashMap<>();

  Product(Kind kind) {
    this.kind = kind;
  }

  /** The name of a row; one that was never seen is the next of its event. */
  Id name(long number, String event) {
    return names.computeIfAbsent(
        number,
        unseen -> {
          Id id = new Id(event, made.merge(event, 1, Integer::sum));
          numbers.put(id, number);
          return id;
        });
  }

  /** The name of a row that was seen. */
  Id name(long number) {
    return Objects.requireNonNull(names.get(number), () -> "never seen: " + number);
  }

  long number(Id id) {
    return Objects.requireNonNull(numbers.get(id), () -> "never seen: " + id);
  }

  /** Those of these events that were seen. */
  List<Long> numbersOf(Set<String> events) {
    return numbers.entrySet().stream()
        .filter(entry -> events.contains(entry.getKey().event()))
        .map(Map.Entry::getValue)
        .toList();
  }

  void keepMessage(String event, long number) {
    messages.put(event, number);
  }

  long message(String event) {
    return Objects.requireNonNull(messages.get(event), () -> "never seen: " + event);
  }

  Lease<Long> lease(Ref ref) {
    return Objects.requireNonNull(leases.get(ref), () -> "never handed out: " + ref);
  }

  List<Lease<Long>> leases(List<Ref> refs) {
    return refs.stream().map(this::lease).toList();
  }

  Ref keep(Lease<Long> lease) {
    Ref ref = new Ref(name(lease.key()), lease.epoch().value());
    leases.put(ref, lease);
    return ref;
  }

  Answer answer(Claims<Long, ?> claims) {
    List<Grant> granted =
        claims.claimed().stream()
            .map(
                (Claimed<Long, ?> claimed) ->
                    new Grant(
                        keep(claimed.lease()), claimed.lease().attempts(), claimed.reclaimed()))
            .toList();
    List<Id> buried = claims.buried().stream().map(one -> name(one.key())).toList();
    List<String> words =
        claims.buried().stream().map(one -> one.attempts() + " attempts: " + one.reason()).toList();
    return new Answer(granted, List.of(), buried, words);
  }

  /** Those rows. */
  Condition among(Collection<Id> ids) {
    Field<Long[]> all = val(ids.stream().map(this::number).toArray(Long[]::new));
    return kind.number().eq(any(all));
  }

  static Leases by(String worker) {
    return Leases.ownedBy(worker);
  }
}
