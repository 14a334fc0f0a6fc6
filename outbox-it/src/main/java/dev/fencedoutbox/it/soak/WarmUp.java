package dev.fencedoutbox.it.soak;

import com.zaxxer.hikari.HikariDataSource;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.relay.DeliveryOutcome;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import dev.fencedoutbox.relay.SteppedRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * Takes every step of a relay on a channel of its own. The first time costs seconds of class
 * loading on a busy machine, longer than a lease lasts.
 */
final class WarmUp {

  private static final int MESSAGES = 10;

  private WarmUp() {}

  static void run(HikariDataSource pool, String name) {
    Channel channel = Channel.of("warm-up " + name);
    DSLContext dsl = DSL.using(pool, SQLDialect.POSTGRES);
    dsl.transaction(
        tx -> {
          var unused = Outbox.create().enqueueAll(tx.dsl(), messages(channel));
        });
    AtomicLong ahead = new AtomicLong();
    RelayOptions options = RelayOptions.defaults();
    Duration half = options.terms().leaseFor().dividedBy(2);
    try (SteppedRelay relay =
        Relay.from(pool)
            .channel(channel)
            .name(name)
            .nanoClock(() -> System.nanoTime() + ahead.get())
            .onDeciding(
                SoakTopic.TOPIC,
                (payload, attempt) ->
                    attempt.number() == 1 && attempt.eventId().endsWith("0")
                        ? DeliveryOutcome.retryAfter(Duration.ZERO, "to warm up")
                        : DeliveryOutcome.delivered())
            .stepByStep()) {
      for (int found = relay.claim(); found > 0; found = relay.claim()) {
        ahead.addAndGet(half.toNanos()); // renewals are due
        relay.renew();
        relay.deliver();
        relay.record();
      }
    }
  }

  private static List<Message> messages(Channel channel) {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      Message message =
          SoakTopic.TOPIC
              .message(JSONB.valueOf("{}"))
              .eventId(channel.name() + " " + i)
              .channels(channel);
      messages.add(i % 2 == 0 ? message : message.orderingKey("k" + i % 3));
    }
    return messages;
  }
}
