package dev.fencedoutbox.it.manners;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.leases;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.fencedoutbox.it.support.LogLines;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.job.CancelOutcome;
import dev.fencedoutbox.job.JobKind;
import dev.fencedoutbox.job.Jobs;
import dev.fencedoutbox.job.Submitted;
import dev.fencedoutbox.lease.Burial;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Outbox;
import java.time.Duration;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.Log;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.jooq.tools.JooqLogger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PayloadLogTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final String SECRET = "4929-1234-5678-9012";

  @BeforeEach
  void clear() {
    DB.clear();
    JooqLogger.globalThreshold(Log.Level.TRACE); // jOOQ's generator, run before, leaves another
  }

  @Test
  void statements_ofAPlainOutbox_areLoggedByJooqWithTheirPayloads() {
    List<String> lines = linesOf(Outbox.create(), new Settings());

    assertThat(lines).anyMatch(line -> line.contains("insert into") && line.contains(SECRET));
    // The claim's result
    assertThat(lines).anyMatch(line -> line.contains(SECRET) && !line.contains("insert into"));
  }

  @Test
  void statements_withoutPayloadLog_leaveNoTrace() {
    assertThat(linesOf(Outbox.create().withoutPayloadLog(), new Settings()))
        .noneMatch(line -> line.contains(SECRET) || line.contains("outbox"));
  }

  @Test
  void statements_aboutJobs_leaveNoTraceEither_ifTheyAreToldSo() {
    assertThat(linesOf(Jobs.of(JobKind.json("k"))))
        .anyMatch(line -> line.contains("insert into") && line.contains(SECRET));
    assertThat(linesOf(Jobs.of(JobKind.json("k")).withoutPayloadLog()))
        .noneMatch(line -> line.contains(SECRET) || line.contains("outbox"));
  }

  private static List<String> linesOf(Jobs<JSONB, JSONB, JSONB> jobs) {
    DB.clear();
    JSONB payload = JSONB.valueOf("\"" + SECRET + "\"");
    DSLContext host = DB.dsl();
    try (LogLines log = LogLines.of("org.jooq", Level.DEBUG)) {
      List<Submitted> submitted =
          host.transactionResult(tx -> jobs.submitAll(tx.dsl(), List.of(jobs.kind().job(payload))));
      assertThat(submitted).hasSize(1);
      Lease<Long> lease = leases(Leases.ownedBy("by").claim(host, jobs.table(), LONG, 10)).get(0);
      assertThat(jobs.checkpoint(host, lease, payload)).isEqualTo(LeaseOutcome.ACCEPTED);
      assertThat(jobs.finish(host, lease, payload)).isEqualTo(LeaseOutcome.ACCEPTED);
      assertThat(jobs.find(host, lease.key())).isPresent();
      assertThat(jobs.cancel(host, lease.key(), SECRET)).isEqualTo(CancelOutcome.ENDED);
      return log.messages();
    }
  }

  @Test
  void statements_ofAHostWithoutLogging_areNotLogged() {
    assertThat(linesOf(Outbox.create(), new Settings().withExecuteLogging(false)))
        .noneMatch(line -> line.contains(SECRET) || line.contains("outbox"));
  }

  private static List<String> linesOf(Outbox outbox, Settings settings) {
    var host = DSL.using(DB.pool(), SQLDialect.POSTGRES, settings);
    JSONB payload = JSONB.valueOf("{\"card\": \"" + SECRET + "\"}");
    Leases by = Leases.ownedBy("owner");
    try (LogLines log = LogLines.of("org.jooq", Level.DEBUG)) {
      List<EnqueueOutcome> enqueued =
          host.transactionResult(
              tx ->
                  outbox.enqueueAll(
                      tx.dsl(), List.of(PLAIN.message(payload), PLAIN.message(payload))));
      assertThat(enqueued).containsOnly(EnqueueOutcome.CREATED);
      List<Lease<Long>> leases =
          leases(by.claim(host, outbox.deliveries(Channel.DEFAULT), LONG, 10));
      // An error text may quote the payload
      assertThat(by.retry(host, leases.get(0), Duration.ZERO, "cannot read " + SECRET))
          .isEqualTo(LeaseOutcome.ACCEPTED);
      assertThat(by.retry(host, leases.get(0), Duration.ZERO, "cannot read " + SECRET))
          .isEqualTo(LeaseOutcome.SETTLED);
      assertThat(by.buryAll(host, List.of(new Burial<>(leases.get(1), "cannot read " + SECRET))))
          .containsExactly(LeaseOutcome.ACCEPTED);
      return log.messages();
    }
  }
}
