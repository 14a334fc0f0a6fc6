package dev.fencedoutbox.it.support;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.expireDelivery;
import static dev.fencedoutbox.it.support.Fixtures.leases;
import static dev.fencedoutbox.it.support.Fixtures.message;

import dev.fencedoutbox.inbox.Inbox;
import dev.fencedoutbox.inbox.InboxOutcome;
import dev.fencedoutbox.lease.Claims;
import dev.fencedoutbox.lease.KeyWalk;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.OrderedClaims;
import dev.fencedoutbox.lease.OrderedTable;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Outbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jooq.DSLContext;

/**
 * A call of the public API that talks to the database.
 *
 * @param name what it is
 * @param writes whether it changes a row
 * @param statements how many statements it costs
 * @param preparation makes the rows it needs, and returns the call, which demands to succeed
 */
public record ApiCall(String name, boolean writes, int statements, Preparation preparation) {

  /** Makes what the call needs. */
  public interface Preparation {
    Consumer<DSLContext> prepare(DSLContext dsl);
  }

  /** Every call, each accepted. */
  public static List<ApiCall> all() {
    List<ApiCall> calls = new ArrayList<>(enqueues());
    calls.addAll(orderedClaims());
    calls.addAll(OperateCalls.all());
    calls.addAll(JobCalls.all());
    for (Leased kind : Leased.values()) {
      calls.addAll(claims(kind));
      for (Verb verb : Verb.values()) {
        calls.add(
            new ApiCall(kind + " " + verb, verb != Verb.HOLD, 1, dsl -> write(dsl, kind, verb)));
      }
    }
    return calls;
  }

  /** Every write, each refused. */
  public static List<ApiCall> refused() {
    return Stream.of(Leased.values())
        .flatMap(
            kind ->
                Stream.of(Verb.values())
                    .map(
                        verb ->
                            new ApiCall(
                                kind + " " + verb + " refused",
                                false,
                                verb.tellsWhy() ? 2 : 1,
                                dsl -> refusal(dsl, kind, verb))))
        .toList();
  }

  private static List<ApiCall> enqueues() {
    Outbox outbox = Outbox.create();
    return List.of(
        new ApiCall(
            "enqueue",
            true,
            1,
            dsl ->
                tx ->
                    expect(
                        EnqueueOutcome.CREATED,
                        outbox.enqueue(tx, message("one").header("h", "v")))),
        new ApiCall(
            "enqueueAll",
            true,
            1,
            dsl ->
                tx ->
                    expect(
                        Collections.nCopies(2, EnqueueOutcome.CREATED),
                        outbox.enqueueAll(
                            tx,
                            List.of(
                                message("two").channels(Channel.of("a"), Channel.of("b")),
                                message("three").orderingKey("k"))))),
        new ApiCall(
            "applyOnce",
            true,
            1,
            dsl ->
                tx ->
                    expect(
                        InboxOutcome.APPLIED,
                        Inbox.of("billing").applyOnce(tx, "one", same -> expect(tx, same)))));
  }

  private static List<ApiCall> claims(Leased kind) {
    Leases leases = Leases.ownedBy("owner");
    return List.of(
        new ApiCall(
            kind + " claim",
            true,
            1,
            dsl -> {
              kind.add(dsl, "claim", 3);
              return tx -> expect(2, leases.claim(tx, kind.table(), LONG, 2).claimed().size());
            }),
        new ApiCall(
            kind + " claimByKey",
            true,
            1,
            dsl -> {
              long id = kind.addOne(dsl, "claim");
              return tx ->
                  expect(1, leases.claimByKey(tx, kind.table(), LONG, id).claimed().size());
            }),
        new ApiCall(
            kind + " claim that buries",
            true,
            1,
            dsl -> {
              Lease<Long> lease = kind.claimed(dsl, "spent", 1, LONG).get(0);
              kind.expire(dsl, lease.key());
              return tx -> {
                Claims<Long, ?> claims =
                    leases.claim(tx, kind.table(), LONG.withAttemptBudget(1), 2);
                expect(1, claims.buried().size());
                expect(0, claims.claimed().size());
              };
            }));
  }

  private static List<ApiCall> orderedClaims() {
    Leases leases = Leases.ownedBy("owner");
    OrderedTable<Long, ?> ordered = Outbox.create().orderedDeliveries(Channel.DEFAULT);
    return List.of(
        new ApiCall(
            "claimInOrder",
            true,
            1,
            dsl -> {
              sayInOrder(dsl);
              return tx -> {
                OrderedClaims<Long, ?> claims =
                    leases.claimInOrder(tx, ordered, LONG, KeyWalk.of(10).withRunLength(2));
                expect(3, claims.claims().claimed().size());
                expect(true, claims.next().atStart());
              };
            }),
        new ApiCall(
            "claimInOrder of the second key",
            true,
            1,
            dsl -> {
              sayInOrder(dsl);
              return tx ->
                  expect(
                      1,
                      leases
                          .claimInOrder(tx, ordered, LONG, new KeyWalk("a", 10, 2))
                          .claims()
                          .claimed()
                          .size());
            }),
        new ApiCall(
            "claimInOrder that buries",
            true,
            1,
            dsl -> {
              sayInOrder(dsl);
              for (Lease<Long> head :
                  leases(
                      leases
                          .claimInOrder(dsl, ordered, LONG, KeyWalk.of(10).withRunLength(1))
                          .claims())) {
                expireDelivery(dsl, head.key());
              }
              return tx ->
                  expect(
                      2,
                      leases
                          .claimInOrder(tx, ordered, LONG.withAttemptBudget(1), KeyWalk.of(10))
                          .claims()
                          .buried()
                          .size());
            }));
  }

  private static void sayInOrder(DSLContext dsl) {
    enqueue(
        dsl,
        message("a1").orderingKey("a"),
        message("b1").orderingKey("b"),
        message("a2").orderingKey("a"),
        message("a3").orderingKey("a"));
  }

  private static Consumer<DSLContext> write(DSLContext dsl, Leased kind, Verb verb) {
    List<Lease<Long>> leases = kind.claimed(dsl, "write", verb.batched() ? 3 : 1, LONG);
    return tx -> expect(Collections.nCopies(leases.size(), true), verb.write(kind, tx, leases));
  }

  private static Consumer<DSLContext> refusal(DSLContext dsl, Leased kind, Verb verb) {
    List<Lease<Long>> leases = kind.claimed(dsl, "refusal", verb.batched() ? 3 : 1, LONG);
    for (Lease<Long> lease : leases) {
      Lease<Long> second = kind.takeOver(dsl, lease.key(), "owner");
      expect(
          LeaseOutcome.ACCEPTED,
          Leases.ownedBy("owner").retry(dsl, second, Duration.ofHours(1), "later"));
    }
    return tx -> expect(Collections.nCopies(leases.size(), false), verb.write(kind, tx, leases));
  }

  static void expect(Object expected, Object actual) {
    if (!expected.equals(actual)) {
      throw new AssertionError("expected " + expected + " and got " + actual);
    }
  }

  /** Every row of every table as text. */
  public static List<String> rows(DSLContext dsl) {
    return dsl.fetch(
            Stream.of(
                        "outbox.message",
                        "outbox.delivery",
                        "outbox.receipt",
                        "outbox.inbox",
                        "outbox.operator_action",
                        "outbox.job",
                        "outbox.job_action",
                        "shop.job",
                        "shop.effect",
                        "shop.invoice",
                        "shop.customer_order")
                    .map(table -> "select '" + table + " ' || t::text from " + table + " t")
                    .reduce((a, b) -> a + " union all " + b)
                    .orElseThrow()
                + " order by 1")
        .into(String.class);
  }

  @Override
  public String toString() {
    return name;
  }
}
