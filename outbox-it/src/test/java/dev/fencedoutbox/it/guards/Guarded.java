package dev.fencedoutbox.it.guards;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.leases;
import static dev.fencedoutbox.it.support.Fixtures.message;

import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.job.JobKind;
import dev.fencedoutbox.job.Jobs;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Outbox;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.JSONB;

/** The two tables of the library whose rows are leased. */
enum Guarded {
  DELIVERY("delivery") {
    @Override
    LeaseTable<Long, ?> table() {
      return Outbox.create().deliveries(Channel.DEFAULT);
    }

    @Override
    void add(DSLContext dsl, String name) {
      Fixtures.enqueue(dsl, message(name));
    }
  },

  /** The same table, of which a completion leaves nothing. */
  DELIVERY_WITHOUT_RECEIPT("delivery") {
    @Override
    LeaseTable<Long, ?> table() {
      return Outbox.create().withoutReceipts().deliveries(Channel.DEFAULT);
    }

    @Override
    void add(DSLContext dsl, String name) {
      DELIVERY.add(dsl, name);
    }
  },

  JOB("job") {
    @Override
    LeaseTable<Long, ?> table() {
      return JOBS.table();
    }

    @Override
    void add(DSLContext dsl, String name) {
      dsl.transaction(
          tx -> JOBS.submit(tx.dsl(), KIND.job(JSONB.valueOf("1")).key(name)).outcome());
    }
  };

  static final JobKind<JSONB, JSONB, JSONB> KIND = JobKind.json("guarded");
  static final Jobs<JSONB, JSONB, JSONB> JOBS = Jobs.of(KIND);
  static final Leases LEASES = Leases.ownedBy("owner");

  private final String name;

  Guarded(String name) {
    this.name = name;
  }

  /** One in which no check constraint of theirs answers in a guard's place. */
  static TestDatabase withoutConstraints() {
    TestDatabase database = TestDatabase.create();
    database
        .dsl()
        .execute(
            """
            do $$ declare one record; begin
              for one in select conrelid::regclass as "table", conname from pg_constraint
                         where contype = 'c' and conrelid in ('outbox.delivery'::regclass, 'outbox.job'::regclass) loop
                execute format('alter table %s drop constraint %I', one."table", one.conname);
              end loop;
            end $$
            """);
    return database;
  }

  abstract LeaseTable<Long, ?> table();

  /** Adds a row that is due. */
  abstract void add(DSLContext dsl, String name);

  /** Adds rows that are due; their ids. */
  List<Long> addAll(DSLContext dsl, int count) {
    for (int i = 0; i < count; i++) {
      add(dsl, "row" + i);
    }
    return dsl.fetch("select id from outbox.%s order by id".formatted(name)).into(Long.class);
  }

  /** Adds rows and claims them. */
  List<Lease<Long>> claimed(DSLContext dsl, int count) {
    List<Long> unused = addAll(dsl, count);
    List<Lease<Long>> all = leases(LEASES.claim(dsl, table(), LONG, count));
    if (all.size() != count) {
      throw new AssertionError("claimed " + all);
    }
    return all;
  }

  /** Does to a row what no statement of the library does. */
  void set(DSLContext dsl, long id, String assignments) {
    if (dsl.execute("update outbox.%s set %s where id = ?".formatted(name, assignments), id) != 1) {
      throw new AssertionError("no row " + id);
    }
  }

  /** The whole row as text. */
  String row(DSLContext dsl, long id) {
    return dsl.fetchSingle("select t::text from outbox.%s t where id = ?".formatted(name), id)
        .get(0, String.class);
  }

  /** A value of a row as text. */
  String value(DSLContext dsl, long id, String expression) {
    return String.valueOf(
        dsl.fetchSingle(
                "select (%s)::text from outbox.%s where id = ?".formatted(expression, name), id)
            .get(0));
  }

  /** The rows that nobody has locked. */
  List<Long> lockable(DSLContext dsl) {
    return dsl.fetch(
            "select id from outbox.%s order by id for no key update skip locked".formatted(name))
        .into(Long.class);
  }
}
