package dev.fencedoutbox.it.support;

import static dev.fencedoutbox.it.shop.Tables.JOB;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;

import dev.fencedoutbox.it.app.ShopJobs;
import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import java.util.List;
import java.util.stream.IntStream;
import org.jooq.DSLContext;

/** Both tables that are leased here; what holds for one must hold for the other. */
public enum Leased {
  /** The library's own. */
  DELIVERY_ROW("outbox.delivery") {
    @Override
    public LeaseTable<Long, ?> table() {
      return Outbox.create().deliveries(Channel.DEFAULT);
    }

    @Override
    public void add(DSLContext dsl, String prefix, int count) {
      Fixtures.enqueue(
          dsl,
          IntStream.range(0, count)
              .mapToObj(i -> Fixtures.message(prefix + i))
              .toArray(Message[]::new));
    }

    @Override
    public List<Long> ids(DSLContext dsl, String prefix) {
      return dsl.select(DELIVERY.ID)
          .from(DELIVERY)
          .join(MESSAGE)
          .on(MESSAGE.ID.eq(DELIVERY.MESSAGE_ID))
          .where(MESSAGE.EVENT_ID.startsWith(prefix))
          .orderBy(DELIVERY.ID)
          .fetch(DELIVERY.ID);
    }

    @Override
    public void expire(DSLContext dsl, long id) {
      Fixtures.expireDelivery(dsl, id);
    }

    @Override
    LeaseOutcome checkpoint(Leases leases, DSLContext dsl, Lease<Long> lease) {
      return leases.checkpoint(dsl, lease, DELIVERY.CHANNEL, "elsewhere");
    }
  },

  /** The shop's, leased through the shop's own generated fields. */
  JOB_ROW("shop.job") {
    @Override
    public LeaseTable<Long, ?> table() {
      return ShopJobs.JOBS;
    }

    @Override
    public void add(DSLContext dsl, String prefix, int count) {
      IntStream.range(0, count).forEach(i -> Fixtures.job(dsl, prefix + i));
    }

    @Override
    public List<Long> ids(DSLContext dsl, String prefix) {
      return dsl.select(JOB.ID)
          .from(JOB)
          .where(JOB.INPUT.startsWith(prefix))
          .orderBy(JOB.ID)
          .fetch(JOB.ID);
    }

    @Override
    public void expire(DSLContext dsl, long id) {
      Fixtures.expireJob(dsl, id);
    }

    @Override
    LeaseOutcome checkpoint(Leases leases, DSLContext dsl, Lease<Long> lease) {
      return leases.checkpoint(dsl, lease, JOB.PROGRESS, 50);
    }
  };

  private final String qualifiedName;

  Leased(String qualifiedName) {
    this.qualifiedName = qualifiedName;
  }

  /** As SQL names it. */
  public String qualifiedName() {
    return qualifiedName;
  }

  /** Its description. */
  public abstract LeaseTable<Long, ?> table();

  /** Adds rows that are due. */
  public abstract void add(DSLContext dsl, String prefix, int count);

  /** The rows added under that prefix, oldest first. */
  public abstract List<Long> ids(DSLContext dsl, String prefix);

  /** Moves a deadline into the past. */
  public abstract void expire(DSLContext dsl, long id);

  abstract LeaseOutcome checkpoint(Leases leases, DSLContext dsl, Lease<Long> lease);

  /** Adds one row. */
  public long addOne(DSLContext dsl, String name) {
    add(dsl, name, 1);
    return ids(dsl, name).get(0);
  }

  /** Adds rows and claims them all. */
  public List<Lease<Long>> claimed(DSLContext dsl, String prefix, int count, ClaimTerms terms) {
    add(dsl, prefix, count);
    Leases leases = Leases.ownedBy("owner");
    List<Lease<Long>> all =
        ids(dsl, prefix).stream()
            .map(id -> Fixtures.only(leases.claimByKey(dsl, table(), terms, id)))
            .toList();
    if (all.size() != count) {
      throw new AssertionError("claimed " + all + " instead of " + count);
    }
    return all;
  }

  /** Claims a row whose lease is over, as another worker does. */
  public Lease<Long> takeOver(DSLContext dsl, long id, String owner) {
    expire(dsl, id);
    return Fixtures.only(Leases.ownedBy(owner).claimByKey(dsl, table(), Fixtures.LONG, id));
  }

  /** The whole row as text, and "(gone)" without one. */
  public String row(DSLContext dsl, long id) {
    return dsl.fetch("select t::text from " + qualifiedName + " t where id = ?", id).stream()
        .map(row -> row.get(0, String.class))
        .findFirst()
        .orElse("(gone)");
  }
}
