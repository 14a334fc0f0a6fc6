package dev.fencedoutbox.host;

import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.RECEIPT;

import dev.fencedoutbox.migration.OutboxMigrations;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.outbox.Topic;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jooq.Converter;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * README's first sample in a host that has nothing but outbox-core, Flyway and the driver, on the
 * module path or on the class path. Given a JDBC URL, it says line by line how far it came.
 */
public final class Host {

  static final Outbox outbox = Outbox.create();
  static final Topic<OrderPlaced> ORDER_PLACED =
      Topic.json(
          "order.placed",
          Converter.of(JSONB.class, OrderPlaced.class, OrderPlaced::fromJson, OrderPlaced::toJson));

  private final BlockingQueue<String> posted = new LinkedBlockingQueue<>();

  /** What is told. */
  public record OrderPlaced(int amount) {
    static OrderPlaced fromJson(JSONB json) {
      return new OrderPlaced(Integer.parseInt(json.data()));
    }

    static JSONB toJson(OrderPlaced placed) {
      return JSONB.valueOf(Integer.toString(placed.amount));
    }
  }

  private Host() {}

  /** Migrates an empty database, places an order and delivers its message. */
  public static void main(String[] arguments) throws InterruptedException {
    say("module", Host.class.getModule().getName());
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(arguments[0]);
    say("migrated", OutboxMigrations.on(dataSource).migrate());
    DSLContext dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
    say("enqueued", place(dsl, new OrderPlaced(17)));
    Host host = new Host();
    try (Relay relay = host.startRelay(dataSource)) {
      say("posted", host.posted.poll(20, TimeUnit.SECONDS));
    }
    say("left", dsl.fetchCount(DELIVERY));
    say("receipt", dsl.fetchSingle(RECEIPT).getChannel()); // jOOQ makes the record by reflection
  }

  private static EnqueueOutcome place(DSLContext dsl, OrderPlaced placed) {
    return dsl.transactionResult(
        tx ->
            outbox.enqueue(
                tx.dsl(),
                ORDER_PLACED.message(placed).eventId("order-17-placed").channel("billing")));
  }

  private Relay startRelay(DataSource pool) {
    return Relay.from(pool)
        .channel("billing")
        .options(RelayOptions.defaults().withLeaseFor(Duration.ofSeconds(30)).withAttemptBudget(5))
        .on(ORDER_PLACED, (placed, attempt) -> posted.add(attempt.eventId() + " " + placed))
        .start();
  }

  private static void say(String what, Object value) {
    System.out.println(what + " " + value);
  }
}
