package dev.fencedoutbox.it.soak;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BacklogTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final int HEAP_MEGABYTES = 40;
  private static final Backlog.Size SIZE = new Backlog.Size(5_000, 10_000);

  @TempDir Path logs;

  /** 50 MB of payload through a heap of 40 MB, which holds jOOQ and the driver as well. */
  @Test
  void drain_backlogLargerThanTheHeap_isDeliveredToTheLast() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Backlog backlog = new Backlog(DB.dsl(), new PrintStream(out, true, UTF_8), SIZE);

    assertThat(backlog.drain(DB.url(), HEAP_MEGABYTES, logs)).as(out.toString(UTF_8)).isTrue();
    assertThat(out.toString(UTF_8)).contains("backlog: drained=5000 left=0 receipts=5000 ");
  }
}
