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

/**
 * Whether a relay with a small heap drains a backlog that is larger: a tenth of it under ordering
 * keys, and each payload of 1,000 characters.
 */
final class Backlog {

  private static final int AT_ONCE = 2_000;
  private static final int CHARACTERS = 1_000;
  private static final int KEYS = 1_000;
  private static final Duration PROGRESS = Duration.ofSeconds(5);
  private static final JSONB PAYLOAD =
      JSONB.valueOf("{\"text\": \"" + "x".repeat(CHARACTERS - 12) + "\"}");

  private final DSLContext dsl;
  private final PrintStream out;
  private volatile int enqueued;
  private volatile Drained drained = Drained.NOTHING;

  Backlog(DSLContext dsl, PrintStream out) {
    this.dsl = dsl;
    this.out = out;
  }

  /** Whether all of it was delivered and recorded. */
  boolean drain(String databaseUrl, int messages, int heapMegabytes, Path logs) {
    try (Progress progress = Progress.start(out, PROGRESS, () -> "enqueued " + enqueued)) {
      enqueue(messages);
    }
    out.printf("%d messages of %d characters are waiting%n", messages, CHARACTERS);
    dsl.execute("ANALYZE");
    long begun = System.nanoTime();
    int status = drainInAnother(databaseUrl, messages, heapMegabytes, logs);
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
        && drained.delivered() == messages
        && drained.characters() == (long) messages * CHARACTERS;
  }

  private int drainInAnother(String databaseUrl, int messages, int heapMegabytes, Path logs) {
    try (JvmProcess relay =
            JvmProcess.running("backlog", BacklogRelay.class)
                .option("-Xmx" + heapMegabytes + "m")
                .option("-XX:+ExitOnOutOfMemoryError")
                .environment(SoakRelay.DATABASE, databaseUrl)
                .errorsTo(logs.resolve("backlog.log"))
                .start(
                    line -> Drained.parse(line).ifPresent(latest -> drained = latest),
                    Integer.toString(messages));
        Progress progress =
            Progress.start(out, PROGRESS, () -> "drained %d".formatted(drained.delivered()))) {
      return relay.endStatus();
    }
  }

  private void enqueue(int messages) {
    Outbox outbox = Outbox.create();
    for (int from = 0; from < messages; from += AT_ONCE) {
      int first = from;
      int end = Math.min(from + AT_ONCE, messages);
      dsl.transaction(
          tx -> {
            var unused =
                outbox.enqueueAll(
                    tx.dsl(), IntStream.range(first, end).mapToObj(Backlog::message).toList());
          });
      enqueued = end;
    }
  }

  private static Message message(int number) {
    Message message =
        SoakTopic.TOPIC.message(PAYLOAD).eventId("b" + number).channels(SoakTopic.CHANNEL);
    return number % 10 == 0 ? message.orderingKey("k" + number / 10 % KEYS) : message;
  }
}
