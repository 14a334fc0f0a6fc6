package dev.fencedoutbox.it.readme;

import static dev.fencedoutbox.it.shop.Tables.CUSTOMER_ORDER;
import static dev.fencedoutbox.it.shop.Tables.EFFECT;
import static dev.fencedoutbox.it.shop.Tables.INVOICE;
import static dev.fencedoutbox.it.shop.Tables.JOB;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fencedoutbox.inbox.Inbox;
import dev.fencedoutbox.inbox.InboxOutcome;
import dev.fencedoutbox.it.app.OrderPlaced;
import dev.fencedoutbox.it.app.ShopJobs;
import dev.fencedoutbox.it.shop.enums.JobState;
import dev.fencedoutbox.it.shop.tables.records.CustomerOrderRecord;
import dev.fencedoutbox.it.shop.tables.records.JobRecord;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseStatements;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.migration.OutboxMigrations;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.outbox.Topic;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.jooq.Converter;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.SQLDialect;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What stands between "README" and "end" is a block in README, in this order. */
class ReadmeSamplesTest {
  static final TestDatabase DB = TestDatabase.create();

  private final DSLContext dsl = DB.dsl();
  private final OrderPlaced placed = new OrderPlaced("17", "Ann", new BigDecimal("10.50"));
  private final List<String> posted = new CopyOnWriteArrayList<>();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  // README
  static final Outbox outbox = Outbox.create();
  static final Topic<OrderPlaced> ORDER_PLACED =
      Topic.json(
          "order.placed",
          Converter.of(JSONB.class, OrderPlaced.class, Orders::fromJson, Orders::toJson));

  EnqueueOutcome place(DSLContext dsl, CustomerOrderRecord order, OrderPlaced placed) {
    return dsl.transactionResult( // CREATED, or DUPLICATE if this event id was said before
        tx -> {
          tx.dsl().insertInto(CUSTOMER_ORDER).set(order).execute();
          return outbox.enqueue(
              tx.dsl(), ORDER_PLACED.message(placed).eventId("order-17-placed").channel("billing"));
        });
  }

  Relay startRelay(DataSource pool) { // close it to end: it drains
    return Relay.from(pool)
        .channel("billing")
        .options(RelayOptions.defaults().withLeaseFor(ofSeconds(30)).withAttemptBudget(5))
        .on(ORDER_PLACED, (placed, attempt) -> postToBilling(attempt.eventId(), placed))
        .start();
  }

  // end

  private static final class Orders {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    static OrderPlaced fromJson(JSONB json) {
      try {
        return MAPPER.readValue(json.data(), OrderPlaced.class);
      } catch (JsonProcessingException e) {
        throw new IllegalArgumentException(e);
      }
    }

    static JSONB toJson(OrderPlaced placed) {
      try {
        return JSONB.valueOf(MAPPER.writeValueAsString(placed));
      } catch (JsonProcessingException e) {
        throw new IllegalArgumentException(e);
      }
    }
  }

  @Test
  void anOrderAndItsMessage_areWrittenTogetherAndDelivered() {
    CustomerOrderRecord order =
        new CustomerOrderRecord()
            .with(CUSTOMER_ORDER.ID, placed.orderId())
            .with(CUSTOMER_ORDER.CUSTOMER, placed.customer())
            .with(CUSTOMER_ORDER.AMOUNT, placed.amount());

    assertThat(place(dsl, order, placed)).isEqualTo(EnqueueOutcome.CREATED);
    try (Relay relay = startRelay(DB.pool())) {
      await().until(() -> relay.counters().delivered() == 1);
    }

    assertThat(posted).containsExactly("order-17-placed 10.50");
    assertThat(dsl.fetchCount(CUSTOMER_ORDER)).isEqualTo(1);
    assertThat(dsl.fetchCount(DELIVERY)).isZero();
    assertThat(dsl.fetchCount(RECEIPT)).isEqualTo(1);
  }

  private void postToBilling(String eventId, OrderPlaced order) {
    posted.add(eventId + " " + order.amount());
  }

  @Test
  void anotherSchema_isMigratedAndMapped() {
    DataSource dataSource = TestDatabase.dataSource(TestDatabase.createEmpty());
    OutboxMigrations.on(dataSource).migrate();
    assertThat(DSL.using(dataSource, SQLDialect.POSTGRES).fetchCount(MESSAGE)).isZero();
    dataSource = TestDatabase.dataSource(TestDatabase.createEmpty());
    // README
    OutboxMigrations.on(dataSource).intoSchema("shop_outbox").migrate();

    MappedSchema mapped = new MappedSchema().withInput("outbox").withOutput("shop_outbox");
    Settings settings = new Settings().withRenderMapping(new RenderMapping().withSchemata(mapped));
    DSLContext mappedDsl = DSL.using(dataSource, SQLDialect.POSTGRES, settings);
    // end
    Fixtures.enqueue(mappedDsl, Fixtures.message("e1"));
    assertThat(mappedDsl.fetchCount(MESSAGE)).isEqualTo(1);
  }

  // README
  static final LeaseTable<Long, JobRecord> JOBS =
      LeaseTable.of(JOB, JOB.ID)
          .epoch(JOB.EPOCH)
          .attempts(JOB.ATTEMPTS)
          .leaseUntil(JOB.LEASE_UNTIL)
          .status(JOB.STATE, JobState.READY, JobState.RUNNING, JobState.DEAD)
          .completedAs(JobState.DONE)
          .dueAt(JOB.RUN_AFTER)
          .lastError(JOB.FAILURE);

  static String store(DSLContext dsl, Leases leases, Lease<Long> lease, String result) {
    EffectOutcome outcome =
        leases.finish(
            dsl,
            lease,
            accepted ->
                insertInto(EFFECT, EFFECT.JOB_ID, EFFECT.VALUE)
                    .select(
                        select(accepted.key(), val(result, EFFECT.VALUE)).from(accepted.table()))
                    .onConflict(EFFECT.JOB_ID)
                    .doNothing());
    return switch (outcome) { // no default: a new case breaks compilation
      case APPLIED -> "stored";
      case DUPLICATE -> "somebody has stored a result before";
      case FENCED -> "the lease is lost: nothing was written";
    };
  }

  // end

  @Test
  void aFencedEffect_isStoredOnlyUnderTheLease() {
    Leases leases = Leases.ownedBy("worker-1");
    Fixtures.job(dsl, "input");
    Lease<Long> late = Fixtures.only(leases.claim(dsl, JOBS, Fixtures.LONG, 1));
    Fixtures.expireJob(dsl, late.key());
    Lease<Long> current =
        Fixtures.only(leases.claim(dsl, JOBS, ClaimTerms.leaseFor(ofMinutes(1)), 1));

    assertThat(store(dsl, leases, late, "A")).startsWith("the lease is lost");
    assertThat(store(dsl, leases, current, "B")).isEqualTo("stored");
    assertThat(dsl.fetchValues(EFFECT.VALUE)).containsExactly("B");
  }

  @Test
  void anEventThatComesTwice_isAppliedOnce() {
    String eventId = "order-17-placed";
    List<InboxOutcome> outcomes = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      // README
      InboxOutcome applied =
          dsl.transactionResult(
              tx -> Inbox.of("billing").applyOnce(tx.dsl(), eventId, own -> invoice(own, placed)));
      // end
      outcomes.add(applied);
    }
    assertThat(outcomes).containsExactly(InboxOutcome.APPLIED, InboxOutcome.DUPLICATE);
    assertThat(dsl.fetchCount(INVOICE)).isEqualTo(1);
  }

  private static void invoice(DSLContext tx, OrderPlaced order) {
    tx.insertInto(INVOICE, INVOICE.ORDER_ID, INVOICE.AMOUNT)
        .values(order.orderId(), order.amount())
        .execute();
  }

  @Test
  void everyStatement_isPrintedByOneCall() {
    // README
    String outboxSql = Outbox.describeSql();
    String jobSql = LeaseStatements.describe(JOBS, ShopJobs.storingOnce("a result"));
    // end
    assertThat(outboxSql).containsIgnoringCase("for no key update skip locked");
    assertThat(jobSql).containsIgnoringCase("update shop.job").contains("shop.effect");
  }
}
