package dev.fencedoutbox.it.soak;

import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.RECEIPT;

import dev.fencedoutbox.it.process.JvmProcess;
import dev.fencedoutbox.it.process.Progress;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.JSONB;

/** Whether a relay with a small heap drains a backlog that is larger; a tenth of it has keys. */
final class Backlog {

  /**
   * How much there is.
   *
   * @param characters of each payload, 13 or more
   */
  record Size(int messages, int characters) {}

  private static final int CHARACTERS_AT_ONCE = 2_000_000;
  private static final int KEYS = 1_000;
  private static final Duration PROGRESS = Duration.ofSeconds(5);

  private final DSLContext dsl;
  private final PrintStream out;
  private final Size size;
  private final JSONB payload;
  private volatile int enqueued;
  private volatile Drained drained = Drained.NOTHING;

  Backlog(DSLContext dsl, PrintStream out, Size size) {
    this.dsl = dsl;
    this.out = out;
    this.size = size;
    this.payload = JSONB.valueOf("{\"text\": \"" + "x".repeat(size.characters() - 12) + "\"}");
  }

  /** Whether all of it was delivered and recorded. */
  boolean drain(String databaseUrl, int heapMegabytes, Path logs) {
    int waiting = Progress.during(out, PROGRESS, () -> "enqueued " + enqueued, this::enqueue);
    out.printf("%d messages of %d characters are waiting%n", waiting, size.characters());
    dsl.execute("ANALYZE");
    long begun = System.nanoTime();
    int status = drainInAnother(databaseUrl, heapMegabytes, logs);
    double seconds = (System.nanoTime() - begun) / 1e9;
    int left = dsl.fetchCount(DELIVERY);
    out.printf(
        "backlog: drained=%d left=%d receipts=%d seconds=%.1f per_second=%.0f peak_heap_mib=%d"
            + " of=%d exit=%d%n",
        drained.delivered(),
        left,
        dsl.fetchCount(RECEIPT),
        seconds,
        drained.delivered() / seconds,
        drained.peakHeapBytes() >> 20,
        heapMegabytes,
        status);
    return status == 0
        && left == 0
        && drained.delivered() == size.messages()
        && drained.characters() == (long) size.messages() * size.characters();
  }

  private int drainInAnother(String databaseUrl, int heapMegabytes, Path logs) {
    try (JvmProcess relay =
        JvmProcess.running("backlog", BacklogRelay.class)
            .option("-Xmx" + heapMegabytes + "m")
            .option("-XX:+ExitOnOutOfMemoryError")
            .environment(SoakRelay.DATABASE, databaseUrl)
            .errorsTo(logs.resolve("backlog.log"))
            .start(
                line -> Drained.parse(line).ifPresent(latest -> drained = latest),
                Integer.toString(size.messages()))) {
      return Progress.during(
          out, PROGRESS, () -> "drained " + drained.delivered(), relay::endStatus);
    }
  }

  private int enqueue() {
    Outbox outbox = Outbox.create();
    int atOnce = Math.max(1, CHARACTERS_AT_ONCE / size.characters());
    for (int from = 0; from < size.messages(); from += atOnce) {
      int first = from;
      int end = Math.min(from + atOnce, size.messages());
      dsl.transaction(
          tx -> {
            var unused =
                outbox.enqueueAll(
                    tx.dsl(), IntStream.range(first, end).mapToObj(this::message).toList());
          });
      enqueued = end;
    }
    return enqueued;
  }

  private Message message(int number) {
    Message message =
        SoakTopic.TOPIC.message(payload).eventId("b" + number).channels(SoakTopic.CHANNEL);
    return number % 10 == 0 ? message.orderingKey("k" + number / 10 % KEYS) : message;
  }
}
