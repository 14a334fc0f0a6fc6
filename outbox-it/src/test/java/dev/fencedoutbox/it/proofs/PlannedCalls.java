package dev.fencedoutbox.it.proofs;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.leases;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.val;

import dev.fencedoutbox.inbox.Inbox;
import dev.fencedoutbox.it.support.ApiCall;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.Leased;
import dev.fencedoutbox.it.support.Verb;
import dev.fencedoutbox.job.JobKind;
import dev.fencedoutbox.job.Jobs;
import dev.fencedoutbox.job.NewJob;
import dev.fencedoutbox.lease.KeyWalk;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.RepeatedClaim;
import dev.fencedoutbox.operate.IdWalk;
import dev.fencedoutbox.operate.InboxWalk;
import dev.fencedoutbox.operate.Retention;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.schema.Tables;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.JSONB;

/**
 * Every call whose statements have a bound: those of the public API on the library's own tables,
 * accepted and refused, and of the usual size those whose cost grows with what they take. A host's
 * table gets the same statements, with an index that is the host's.
 */
final class PlannedCalls {

  static final LeaseTable<Long, ?> DELIVERIES = Outbox.create().deliveries(Channel.DEFAULT);
  static final Jobs<JSONB, JSONB, JSONB> JOBS = Jobs.of(JobKind.json("render"));

  private static final int BATCH = 100;
  private static final int PURGE = 1_000;
  private static final Leases BY = Leases.ownedBy("owner");
  private static final Outbox OUTBOX = Outbox.create();
  private static final Field<OffsetDateTime> DUE_AT = Tables.DELIVERY.NEXT_ATTEMPT_AT;
  private static final Field<Long> ID = Tables.DELIVERY.ID;

  /** As relays claim: the value is hidden from the planner. */
  private static final RepeatedClaim.Range FROM_FLOOR =
      new RepeatedClaim.Range(DUE_AT.ge(hidden("from", DUE_AT)), List.of("from"));

  /** As relays go on after a claim that was full. */
  private static final RepeatedClaim.Range ONWARDS =
      new RepeatedClaim.Range(
          row(DUE_AT, ID).ge(row(hidden("from", DUE_AT), hidden("from_id", ID))),
          List.of("from", "from_id"));

  private static final Retention AT_ONCE = Retention.olderThan(Duration.ZERO);

  private PlannedCalls() {}

  static Stream<ApiCall> all() {
    return Stream.of(
            ApiCall.all().stream().filter(PlannedCalls::isOnOwnTable),
            ApiCall.refused().stream().filter(PlannedCalls::isOnOwnTable),
            enqueues(),
            claims(),
            verbsOfJobs(),
            batches(),
            purges())
        .flatMap(Function.identity());
  }

  private static boolean isOnOwnTable(ApiCall call) {
    return !call.name().startsWith(Leased.JOB_ROW.name());
  }

  private static Stream<ApiCall> enqueues() {
    return Stream.of(
        call("enqueue under a key", tx -> OUTBOX.enqueue(tx, message("e").orderingKey("k"))),
        call("enqueue of a hundred", tx -> OUTBOX.enqueueAll(tx, hundred())),
        call(
            "applyAllOnce of a hundred",
            tx ->
                Inbox.of("billing")
                    .applyAllOnce(tx, hundred(), Message::eventId, (own, fresh) -> {})));
  }

  private static Stream<ApiCall> claims() {
    OffsetDateTime floor = OffsetDateTime.now(ZoneOffset.UTC).minusHours(2);
    return Stream.of(
        call("claim of a hundred", tx -> BY.claim(tx, DELIVERIES, LONG, BATCH)),
        call(
            "claim of a hundred from a floor",
            tx ->
                BY.claim(
                    tx, OUTBOX.deliveries(Channel.DEFAULT).where(DUE_AT.ge(floor)), LONG, BATCH)),
        call(
            "repeated claim of a hundred from a floor",
            tx ->
                BY.repeatedClaim(DELIVERIES, LONG, BATCH)
                    .claim(tx, FROM_FLOOR, List.of(val(floor, DUE_AT)), BATCH)),
        call(
            "repeated claim of a hundred onwards",
            tx ->
                BY.repeatedClaim(DELIVERIES, LONG, BATCH)
                    .claim(tx, ONWARDS, List.of(val(floor, DUE_AT), val(1L, ID)), BATCH)),
        call(
            "repeated claim in order of a hundred",
            tx ->
                BY.repeatedClaimInOrder(OUTBOX.orderedDeliveries(Channel.DEFAULT), LONG, BATCH)
                    .claim(tx, KeyWalk.of(BATCH))),
        call("claim of a hundred jobs", tx -> BY.claim(tx, JOBS.table(), LONG, BATCH)),
        new ApiCall(
            "claimByKey of a job",
            true,
            1,
            dsl -> {
              Lease<Long> lease = jobs(dsl, 1).get(0);
              requireAccepted(BY.release(dsl, lease));
              return tx -> {
                var unused = BY.claimByKey(tx, JOBS.table(), LONG, lease.key());
              };
            }),
        new ApiCall(
            "completion of a job that is refused",
            false,
            2,
            dsl -> {
              Lease<Long> lease = jobs(dsl, 1).get(0);
              requireAccepted(BY.release(dsl, lease));
              return tx -> {
                if (BY.complete(tx, lease).accepted()) {
                  throw new AssertionError("accepted");
                }
              };
            }));
  }

  /** Those that {@code ApiCall} has on deliveries. */
  private static Stream<ApiCall> verbsOfJobs() {
    return Stream.of(Verb.values())
        .filter(verb -> verb != Verb.CHECKPOINT)
        .map(
            verb ->
                new ApiCall(
                    "job " + verb,
                    true,
                    1,
                    dsl -> {
                      List<Lease<Long>> leases = jobs(dsl, verb.batched() ? 3 : 1);
                      return tx -> {
                        if (verb.write(Leased.JOB_ROW, tx, leases).contains(false)) {
                          throw new AssertionError("refused");
                        }
                      };
                    }));
  }

  private static Stream<ApiCall> batches() {
    Stream<ApiCall> repeated =
        Stream.of(
            new ApiCall(
                "repeated completion of a hundred",
                true,
                1,
                dsl -> {
                  List<Lease<Long>> leases = deliveries(dsl);
                  return tx ->
                      BY.repeatedCompletion(DELIVERIES)
                          .completeAll(tx, leases)
                          .forEach(PlannedCalls::requireAccepted);
                }));
    return Stream.concat(repeated, verbsOfHundred());
  }

  private static Stream<ApiCall> verbsOfHundred() {
    return Stream.of(Verb.values())
        .filter(Verb::batched)
        .flatMap(
            verb ->
                Stream.of(
                    batch("deliveries " + verb, verb, PlannedCalls::deliveries),
                    batch("jobs " + verb, verb, dsl -> jobs(dsl, BATCH))));
  }

  private static ApiCall batch(
      String name, Verb verb, Function<DSLContext, List<Lease<Long>>> claimed) {
    return new ApiCall(
        name + " of a hundred",
        true,
        1,
        dsl -> {
          List<Lease<Long>> leases = claimed.apply(dsl);
          return tx -> {
            if (verb.write(Leased.DELIVERY_ROW, tx, leases).contains(false)) {
              throw new AssertionError("refused");
            }
          };
        });
  }

  private static Stream<ApiCall> purges() {
    return Stream.of(
        call("purgeMessages of a thousand", tx -> AT_ONCE.purgeMessages(tx, IdWalk.of(PURGE))),
        call("purgeInbox of a thousand", tx -> AT_ONCE.purgeInbox(tx, InboxWalk.of(PURGE))),
        call(
            "purgeOperatorActions of a thousand",
            tx -> AT_ONCE.purgeOperatorActions(tx, IdWalk.of(PURGE))));
  }

  private static <T> Field<T> hidden(String name, Field<T> field) {
    return RepeatedClaim.placeholder(name, field.getDataType());
  }

  private static ApiCall call(String name, Function<DSLContext, ?> call) {
    Consumer<DSLContext> consumer =
        tx -> {
          Object unused = call.apply(tx);
        };
    return new ApiCall(name, true, 1, dsl -> consumer);
  }

  private static void requireAccepted(LeaseOutcome outcome) {
    if (!outcome.accepted()) {
      throw new AssertionError(outcome);
    }
  }

  private static List<Message> hundred() {
    return IntStream.range(0, BATCH).mapToObj(i -> message("h" + i)).toList();
  }

  private static List<Lease<Long>> deliveries(DSLContext dsl) {
    Fixtures.enqueue(dsl, hundred().toArray(Message[]::new));
    return leases(BY.claim(dsl, OUTBOX.deliveries(Channel.DEFAULT), LONG, BATCH));
  }

  private static List<Lease<Long>> jobs(DSLContext dsl, int count) {
    List<NewJob> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      jobs.add(JobKind.json("render").job(JSONB.valueOf("{}")).key("j" + i));
    }
    dsl.transaction(tx -> JOBS.submitAll(tx.dsl(), jobs).forEach(submitted -> {}));
    return leases(BY.claim(dsl, JOBS.table(), LONG, count));
  }
}
