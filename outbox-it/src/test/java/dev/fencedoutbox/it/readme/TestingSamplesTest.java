package dev.fencedoutbox.it.readme;

import static dev.fencedoutbox.it.app.ShopJobs.JOBS;
import static dev.fencedoutbox.it.app.ShopJobs.storing;
import static dev.fencedoutbox.it.shop.Tables.EFFECT;
import static dev.fencedoutbox.it.shop.Tables.JOB;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.select;

import dev.fencedoutbox.it.app.OrderPlaced;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.SteppedRelay;
import dev.fencedoutbox.testkit.EffectUnderTest;
import dev.fencedoutbox.testkit.EnqueuedMessage;
import dev.fencedoutbox.testkit.EnqueuedMessages;
import dev.fencedoutbox.testkit.FencedEffectCheck;
import dev.fencedoutbox.testkit.LeaseMover;
import dev.fencedoutbox.testkit.ManualClock;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What stands between "guide" and "end" is a block in docs/testing.md, in this order. */
class TestingSamplesTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final Path GUIDE = Path.of("../docs/testing.md");
  private static final Path SAMPLES =
      Path.of("src/test/java/dev/fencedoutbox/it/readme/TestingSamplesTest.java");

  private final DSLContext dsl = DB.dsl();
  private final DataSource dataSource = DB.pool();
  private final Outbox outbox = Outbox.create();
  private final List<String> posted = new ArrayList<>();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @Test
  void javaBlocks_areTheCompiledSamples() throws IOException {
    List<String> blocks = ReadmeTest.regions(Files.readAllLines(GUIDE), "```java", "```");

    assertThat(blocks).isNotEmpty();
    assertThat(blocks)
        .isEqualTo(ReadmeTest.regions(Files.readAllLines(SAMPLES), "// guide", "// end"));
  }

  private void placeOrder(String id) {
    Fixtures.enqueue(
        dsl,
        OrderPlaced.TOPIC
            .message(new OrderPlaced(id, "Ann", BigDecimal.TEN))
            .eventId("order-" + id + "-placed")
            .channel("billing"));
  }

  @Test
  void messages() {
    // guide
    EnqueuedMessages before = EnqueuedMessages.in(dsl); // or the context of an open transaction
    placeOrder("17");
    EnqueuedMessage message =
        EnqueuedMessages.in(dsl)
            .since(before)
            .assertOnlyEnqueued(OrderPlaced.TOPIC, placed -> placed.orderId().equals("17"));
    assertThat(message.eventId()).isEqualTo("order-17-placed");
    assertThat(message.channels()).containsExactly(Channel.of("billing"));
    // end
  }

  @Test
  void relayByHand() {
    placeOrder("17");
    // guide
    ManualClock clock = new ManualClock();
    LeaseMover<Long> mover = LeaseMover.on(dsl, outbox.deliveries(Channel.of("billing")));
    try (SteppedRelay relay =
        Relay.from(dataSource)
            .channel("billing")
            .nanoClock(clock)
            .on(OrderPlaced.TOPIC, (placed, attempt) -> posted.add(attempt.eventId()))
            .stepByStep()) {
      relay.claim();
      clock.advance(ofSeconds(20)); // of a lease of 30 s
      relay.renew();
      mover.takeOver(relay.waiting().get(0).lease().key()); // this relay is late from now on
      relay.deliver();
      relay.record();
      assertThat(posted).containsExactly("order-17-placed"); // cannot be taken back
      assertThat(relay.counters().refused()).isEqualTo(1); // and is not recorded
    }
    // end
  }

  @Test
  void fencedEffect() {
    Leases leases = Leases.ownedBy("render-1");
    // guide
    FencedEffectCheck.on(dsl, JOBS)
        .assertFenced(
            new EffectUnderTest<Long>() {
              @Override
              public Long newRow(DSLContext dsl) { // a row that can be claimed
                return dsl.insertInto(JOB)
                    .set(JOB.INPUT, "a.svg")
                    .returning()
                    .fetchSingle()
                    .getId();
              }

              @Override
              public boolean run(DSLContext dsl, Lease<Long> lease) { // your own code
                String result = "rendered under epoch " + lease.epoch();
                return leases.finish(dsl, lease, storing(result)) == EffectOutcome.APPLIED;
              }

              @Override
              public Object state(DSLContext dsl, Long key) { // what it leaves behind
                return dsl.fetchValues(
                    select(EFFECT.VALUE).from(EFFECT).where(EFFECT.JOB_ID.eq(key)));
              }
            });
    // end
    assertThat(dsl.fetchCount(EFFECT)).isPositive();
  }
}
