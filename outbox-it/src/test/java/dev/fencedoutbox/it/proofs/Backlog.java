package dev.fencedoutbox.it.proofs;

import dev.fencedoutbox.it.app.ShopJobs;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.LeaseStatements;
import dev.fencedoutbox.lease.Leases;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jooq.DSLContext;

/** Databases with much to do, by what the planner knows of it. Autovacuum is off in all. */
final class Backlog {

  /** What {@code ANALYZE} has seen of the backlog. */
  enum Statistics {
    /** Nothing, ever. */
    ABSENT,
    /** The empty tables. */
    STALE,
    /** All of it. */
    FRESH
  }

  private final Map<Statistics, TestDatabase> databases = new EnumMap<>(Statistics.class);

  /** Three databases with the same rows. */
  Backlog(Consumer<DSLContext> filling) {
    TestDatabase absent = empty();
    filling.accept(absent.dsl());
    TestDatabase fresh = absent.copy();
    fresh.dsl().execute("analyze");
    TestDatabase stale = empty();
    stale.dsl().execute("analyze");
    filling.accept(stale.dsl());
    databases.putAll(
        Map.of(Statistics.ABSENT, absent, Statistics.STALE, stale, Statistics.FRESH, fresh));
  }

  TestDatabase database(Statistics statistics) {
    return Objects.requireNonNull(databases.get(statistics));
  }

  static TestDatabase empty() {
    TestDatabase database = TestDatabase.create();
    withoutAutovacuum(database.dsl());
    return database;
  }

  static void withoutAutovacuum(DSLContext dsl) {
    for (String table :
        new String[] {"outbox.message", "outbox.delivery", "outbox.receipt", "shop.job"}) {
      dsl.execute("alter table " + table + " set (autovacuum_enabled = false)");
    }
  }

  /**
   * Lets others see what this session has counted; PostgreSQL 14 does so by itself, a bit later.
   */
  static void flushCounters(DSLContext dsl) {
    dsl.execute(
        "do $$ begin if current_setting('server_version_num')::int >= 150000 then"
            + " perform pg_stat_force_next_flush(); end if; end $$");
  }

  /** Messages of about 500 bytes on the default channel, due at {@code due}. */
  static void messages(DSLContext dsl, String numbers, String due) {
    load(
        dsl,
        "with said as (insert into outbox.message (event_id, topic, content_type, payload_json)"
            + " select 'e' || n, 'plain', 'application/json',"
            + " jsonb_build_object('text', repeat('x', 460)) from "
            + numbers
            + " returning id) insert into outbox.delivery (message_id, channel, next_attempt_at)"
            + " select id, 'default', "
            + due
            + " from said");
  }

  /** Runs an insert without looking up the message of each delivery. */
  static void load(DSLContext dsl, String insert) {
    dsl.transaction(
        tx -> {
          tx.dsl().execute("set local session_replication_role = replica");
          tx.dsl().execute(insert);
        });
  }

  static void dueJobs(DSLContext dsl, int count) {
    dsl.execute(
        "insert into shop.job (input, run_after) select 'in', clock_timestamp() - interval '1 hour'"
            + " from generate_series(1, ?)",
        count);
  }

  /** Adds jobs and lets a worker complete them. */
  static void doneJobs(DSLContext dsl, int count) {
    dueJobs(dsl, count);
    Leases leases = Leases.ownedBy("backlog");
    int done = 0;
    while (done < count) {
      List<LeaseOutcome> outcomes =
          leases.completeAll(
              dsl,
              Fixtures.leases(
                  leases.claim(dsl, ShopJobs.JOBS, Fixtures.LONG, LeaseStatements.MAX_CLAIM)));
      if (outcomes.isEmpty() || !outcomes.stream().allMatch(LeaseOutcome::accepted)) {
        throw new AssertionError("not all were completed: " + outcomes);
      }
      done += outcomes.size();
    }
  }
}
