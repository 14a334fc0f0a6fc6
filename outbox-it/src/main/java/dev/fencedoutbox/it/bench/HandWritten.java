package dev.fencedoutbox.it.bench;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Claims and completes by two statements over plain JDBC, each a transaction of its own in
 * auto-commit mode, so that no round trip is made for BEGIN or COMMIT. Each worker has one
 * connection and does one after the other.
 */
abstract class HandWritten implements Contender {

  private final BenchDatabase database;
  private final int workers;

  HandWritten(BenchDatabase database, int workers) {
    this.database = database;
    this.workers = workers;
  }

  final BenchDatabase database() {
    return database;
  }

  /** What one worker has claimed. */
  record Batch(List<Long> keys, List<Long> epochs) {

    Batch() {
      this(new ArrayList<>(), new ArrayList<>());
    }
  }

  /** One worker's statements, prepared once. */
  interface Session {

    /** Nothing: all is claimed. */
    Batch claim() throws SQLException;

    int complete(Batch batch) throws SQLException;
  }

  abstract Session open(Connection connection) throws SQLException;

  @Override
  public final long drainNanos(int messages) throws Exception {
    List<Connection> connections = new ArrayList<>();
    try {
      AtomicInteger completed = new AtomicInteger();
      List<Worker> tasks = new ArrayList<>();
      for (int i = 0; i < workers; i++) {
        Connection connection = database.connect();
        connections.add(connection);
        tasks.add(new Worker(open(connection), messages, completed));
      }
      long nanos = Together.nanos(tasks);
      if (completed.get() < messages) {
        throw new IllegalStateException(
            "%s completed %d of %d messages".formatted(name(), completed.get(), messages));
      }
      return nanos;
    } finally {
      for (Connection connection : connections) {
        connection.close();
      }
    }
  }

  private record Worker(Session session, int messages, AtomicInteger completed)
      implements Callable<Integer> {

    @Override
    public Integer call() throws SQLException {
      while (completed.get() < messages) {
        Batch batch = session.claim();
        if (batch.keys().isEmpty()) {
          break;
        }
        completed.addAndGet(session.complete(batch));
      }
      return completed.get();
    }
  }

  /** Binds keys and epochs as two arrays and runs it. */
  static ResultSet query(PreparedStatement statement, Batch batch) throws SQLException {
    Connection connection = statement.getConnection();
    Array keys = connection.createArrayOf("bigint", batch.keys().toArray());
    Array epochs = connection.createArrayOf("bigint", batch.epochs().toArray());
    statement.setArray(1, keys);
    statement.setArray(2, epochs);
    return statement.executeQuery();
  }
}
