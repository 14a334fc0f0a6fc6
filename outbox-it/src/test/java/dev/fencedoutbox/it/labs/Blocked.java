package dev.fencedoutbox.it.labs;

import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.support.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.postgresql.PGConnection;

/** A call on a connection and in a thread of its own, known to wait for a lock in the database. */
final class Blocked<T> implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Connection connection;
  private final ExecutorService thread;
  private final Future<T> call;

  private Blocked(Connection connection, ExecutorService thread, Future<T> call) {
    this.connection = connection;
    this.thread = thread;
    this.call = call;
  }

  /** Starts the call, and returns once the server says that it waits for a lock. */
  static <T> Blocked<T> start(TestDatabase database, Function<DSLContext, T> call)
      throws SQLException, ExecutionException, InterruptedException {
    Connection connection = database.connect();
    int backend = connection.unwrap(PGConnection.class).getBackendPID();
    ExecutorService thread = Executors.newSingleThreadExecutor();
    Future<T> future = thread.submit(() -> call.apply(TestDatabase.on(connection)));
    Blocked<T> blocked = new Blocked<>(connection, thread, future);
    await("a wait for a lock")
        .atMost(PATIENCE)
        .until(() -> future.isDone() || waits(database.dsl(), backend));
    if (future.isDone()) {
      blocked.close();
      throw new AssertionError("It did not wait for a lock, and returned " + future.get());
    }
    return blocked;
  }

  private static boolean waits(DSLContext dsl, int backend) {
    return !dsl.fetch(
            "select 1 from pg_stat_activity where pid = ? and wait_event_type = 'Lock'", backend)
        .isEmpty();
  }

  /** What the call returned, now that somebody has let go of the lock. */
  T result() throws ExecutionException, InterruptedException {
    return call.get();
  }

  @Override
  public void close() throws SQLException {
    thread.shutdownNow();
    connection.close();
  }
}
