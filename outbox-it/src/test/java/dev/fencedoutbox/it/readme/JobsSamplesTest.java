package dev.fencedoutbox.it.readme;

import static dev.fencedoutbox.it.app.ShopJobs.storing;
import static dev.fencedoutbox.it.shop.Tables.EFFECT;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static java.time.Duration.ofMinutes;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.job.DeliveryIntent;
import dev.fencedoutbox.job.JobKind;
import dev.fencedoutbox.job.JobOutcome;
import dev.fencedoutbox.job.JobRunner;
import dev.fencedoutbox.job.JobView;
import dev.fencedoutbox.job.JobWaits;
import dev.fencedoutbox.job.Jobs;
import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.schema.enums.JobStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.Converter;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.junit.jupiter.api.Test;

/** What stands between "guide" and "end" is the block in docs/jobs.md. */
class JobsSamplesTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final Path GUIDE = Path.of("../docs/jobs.md");
  private static final Path SAMPLES =
      Path.of("src/test/java/dev/fencedoutbox/it/readme/JobsSamplesTest.java");

  private static final Converter<JSONB, Integer> PAGES =
      Converter.of(
          JSONB.class,
          Integer.class,
          json -> Integer.valueOf(json.data()),
          pages -> JSONB.valueOf(pages.toString()));
  private static final Converter<JSONB, String> TEXT =
      Converter.of(
          JSONB.class,
          String.class,
          json -> json.data().substring(1, json.data().length() - 1),
          text -> JSONB.valueOf('"' + text + '"'));

  private final DSLContext dsl = DB.dsl();
  private final DataSource dataSource = DB.pool();
  private final Outbox outbox = Outbox.create();
  private final List<Long> ids = new ArrayList<>();

  private static Message rendered(String eventId) {
    return Fixtures.message(eventId);
  }

  @Test
  void javaBlocks_areTheCompiledSamples() throws IOException {
    List<String> blocks = ReadmeTest.regions(Files.readAllLines(GUIDE), "```java", "```");

    assertThat(blocks).hasSize(2);
    assertThat(blocks)
        .isEqualTo(ReadmeTest.regions(Files.readAllLines(SAMPLES), "// guide", "// end"));
  }

  @Test
  void job_isSubmittedDoneAndWaitedFor() throws Exception {
    render();

    assertThat(ids).hasSize(1);
    assertThat(dsl.fetchSingle(MESSAGE).getEventId()).isEqualTo("order-17-rendered");
    assertThat(dsl.fetchSingle(EFFECT).getJobId()).isEqualTo(ids.get(0));
  }

  private void render() throws Exception {
    // guide
    JobKind<Integer, Integer, String> render =
        JobKind.of("render", PAGES, PAGES, TEXT); // input, checkpoint, result: Converter<JSONB, T>
    Jobs<Integer, Integer, String> renders = Jobs.of(render);

    // whoever wants it, in the transaction of the business change; once for each key
    dsl.transaction(tx -> ids.add(renders.submit(tx.dsl(), render.job(40).key("order-17")).id()));

    // whoever does it
    Leases leases = Leases.ownedBy("worker-1");
    Claimed<Long, JobView<Integer, Integer, String>> claimed =
        leases
            .claim(dsl, renders.table(), ClaimTerms.leaseFor(ofMinutes(1)), 1)
            .first()
            .orElseThrow();
    Lease<Long> lease = claimed.lease();
    for (int page = claimed.row().checkpoint().orElse(0);
        page < claimed.row().input();
        page += 10) {
      if (!renders.checkpoint(dsl, lease, page + 10).accepted()) {
        return; // another worker has it, or it was cancelled
      }
    }
    EffectOutcome outcome =
        dsl.transactionResult(
            tx ->
                renders.finish(
                    tx.dsl(),
                    lease,
                    "book-17.pdf",
                    DeliveryIntent.of(outbox, rendered("order-17-rendered"))
                        .beside(storing("17"))));

    // whoever waits for it
    try (JobWaits waits = JobWaits.start(dataSource)) {
      JobView<Integer, Integer, String> job = waits.await(render, "order-17").get(10, SECONDS);
      assertThat(job.status()).isEqualTo(JobStatus.DONE);
      assertThat(job.result()).hasValue("book-17.pdf");
    }
    // end
    assertThat(outcome).isEqualTo(EffectOutcome.APPLIED);
  }

  @Test
  void job_isDoneByARunner() throws Exception {
    JobKind<Integer, Integer, String> render = JobKind.of("render-18", PAGES, PAGES, TEXT);
    Jobs<Integer, Integer, String> renders = Jobs.of(render);
    dsl.transaction(tx -> ids.add(renders.submit(tx.dsl(), render.job(40).key("order-18")).id()));

    // guide
    try (JobWaits waits = JobWaits.start(dataSource);
        JobRunner runner =
            JobRunner.from(dataSource)
                .on(
                    renders,
                    job -> {
                      for (int page = job.checkpoint().orElse(0); page < job.input(); page += 10) {
                        if (!job.checkpoint(dsl, page + 10).accepted()) {
                          return JobOutcome.settled(); // another has it, or it was cancelled
                        }
                      }
                      return JobOutcome.done("book-18.pdf");
                    })
                .telling(waits::wakeUp)
                .start()) {
      JobView<Integer, Integer, String> job = waits.await(render, "order-18").get(10, SECONDS);
      assertThat(job.result()).hasValue("book-18.pdf");
      assertThat(runner.counters().claimed()).isEqualTo(1);
    }
    // end
  }
}
