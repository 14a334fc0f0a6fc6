package dev.fencedoutbox.it.support;

import static dev.fencedoutbox.it.shop.Tables.JOB;
import static dev.fencedoutbox.schema.Tables.DELIVERY;

import dev.fencedoutbox.it.app.ShopJobs;
import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.lease.Claims;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.outbox.Topic;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import org.jooq.Converter;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** Small steps that many tests take. */
public final class Fixtures {

  /** A topic whose payload is plain JSON. */
  public static final Topic<JSONB> PLAIN =
      Topic.json("plain", Converter.of(JSONB.class, JSONB.class, json -> json, json -> json));

  /** A lease that no test outlives, and the default budget. */
  public static final ClaimTerms LONG = ClaimTerms.leaseFor(Duration.ofMinutes(10));

  private Fixtures() {}

  /** A message of that event id with a small payload. */
  public static Message message(String eventId) {
    return PLAIN.message(JSONB.valueOf("{\"n\": 1}")).eventId(eventId);
  }

  /** Enqueues in a transaction of its own, and demands that it was new. */
  public static void enqueue(DSLContext dsl, Message... messages) {
    dsl.transaction(
        tx ->
            Outbox.create()
                .enqueueAll(tx.dsl(), List.of(messages))
                .forEach(
                    outcome -> {
                      if (outcome != dev.fencedoutbox.outbox.EnqueueOutcome.CREATED) {
                        throw new AssertionError("not new: " + outcome);
                      }
                    }));
  }

  /** Adds a job that is due, and returns its id. */
  public static long job(DSLContext dsl, String input) {
    return dsl.insertInto(JOB, JOB.INPUT)
        .values(input)
        .returningResult(JOB.ID)
        .fetchSingle()
        .value1();
  }

  /** Empties the database and adds one job, which {@code leases} claims for long. */
  public static Lease<Long> onlyJob(TestDatabase database, Leases leases) {
    database.clear();
    long id = job(database.dsl(), "render");
    return only(leases.claimByKey(database.dsl(), ShopJobs.JOBS, LONG, id));
  }

  /** The one lease of a claim that must have brought exactly one. */
  public static <K> Lease<K> only(Claims<K, ?> claims) {
    if (claims.claimed().size() != 1) {
      throw new AssertionError("expected one claim and got " + claims);
    }
    return claims.claimed().get(0).lease();
  }

  /** The leases of a claim. */
  public static <K, V> List<Lease<K>> leases(Claims<K, V> claims) {
    return claims.claimed().stream().map(Claimed::lease).toList();
  }

  /** Moves a delivery's deadline into the past, as the articles do. */
  public static void expireDelivery(DSLContext dsl, long id) {
    changedOne(
        dsl.update(DELIVERY)
            .set(DELIVERY.LEASE_UNTIL, secondAgo())
            .where(DELIVERY.ID.eq(id))
            .execute());
  }

  /** Moves a job's deadline into the past. */
  public static void expireJob(DSLContext dsl, long id) {
    changedOne(dsl.update(JOB).set(JOB.LEASE_UNTIL, secondAgo()).where(JOB.ID.eq(id)).execute());
  }

  private static Field<OffsetDateTime> secondAgo() {
    return DSL.field("clock_timestamp() - interval '1 second'", SQLDataType.TIMESTAMPWITHTIMEZONE);
  }

  private static void changedOne(int rows) {
    if (rows != 1) {
      throw new AssertionError("expected to change one row and changed " + rows);
    }
  }
}
