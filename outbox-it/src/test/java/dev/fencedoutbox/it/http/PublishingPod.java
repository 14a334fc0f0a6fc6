package dev.fencedoutbox.it.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencedoutbox.http.HttpPublisher;
import dev.fencedoutbox.http.HttpPublisherBuilder;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.relay.DeliveryInterceptor;
import dev.fencedoutbox.relay.Pacing;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.RelayOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process that publishes, one delivery at a time. It prints each that it has sent once more after
 * another's lease ran out; at one of its posts it stops between the answer and the record, and says
 * so. On a line that it hears it closes, and prints what it counted. Arguments: its name, the
 * database's URL, the receiver's, what it posts ("slack" or "payload"), and the number of the post
 * to stop at, 0 for none.
 */
public final class PublishingPod {

  private PublishingPod() {}

  public static void main(String[] arguments) throws IOException {
    String name = arguments[0];
    HttpPublisherBuilder publisher =
        HttpPublisher.to(URI.create(arguments[2]))
            .header("X-Pod", name)
            .timeout(Duration.ofMinutes(1));
    if (arguments[3].equals("slack")) {
      publisher = publisher.slackText(delivery -> "alert " + delivery.eventId());
    }
    Relay relay =
        Relay.from(TestDatabase.dataSource(arguments[1]))
            .name(name)
            .options(
                RelayOptions.defaults()
                    .withLeaseFor(Fixtures.LONG.leaseFor())
                    .withConcurrency(1)
                    .withPrefetch(0)
                    .withPacing(Pacing.defaults().withSweepEvery(Duration.ofMillis(100))))
            .onAnyTopic(publisher.build())
            .intercept(stoppingAt(Integer.parseInt(arguments[4])))
            .start();
    new BufferedReader(new InputStreamReader(System.in, UTF_8)).readLine();
    relay.close();
    print(
        "COUNTED delivered %d, reclaimed %d"
            .formatted(relay.counters().delivered(), relay.counters().reclaimed()));
  }

  private static DeliveryInterceptor stoppingAt(int post) {
    AtomicInteger posts = new AtomicInteger();
    return (attempts, next) -> {
      var outcomes = next.proceed();
      if (attempts.get(0).reclaimed()) {
        print("RECLAIMED " + attempts.get(0).eventId());
      }
      if (posts.incrementAndGet() == post) {
        print("HOLDING " + attempts.get(0).eventId());
        new CountDownLatch(1).await(); // until it is killed
      }
      return outcomes;
    };
  }

  private static void print(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
