package dev.fencedoutbox.http;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads that hand requests to the client: as many as do so at once, gone when idle. */
final class Senders {

  private static final long IDLE_SECONDS = 10;

  private Senders() {}

  static Executor daemons() {
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        task -> {
          Thread thread = new Thread(task, "outbox-http-send");
          thread.setDaemon(true);
          return thread;
        });
  }
}
