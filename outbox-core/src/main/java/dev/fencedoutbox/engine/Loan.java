package dev.fencedoutbox.engine;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A host's connection, set up for one transaction; closing it gives its settings back. */
record Loan(Connection connection, boolean autoCommit, int networkTimeout)
    implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Loan.class);

  /** With auto-commit or without, and waiting for an answer for so many ms at the most. */
  static Loan of(Connection connection, boolean autoCommit, int longestSilence)
      throws SQLException {
    Loan loan =
        new Loan(connection, connection.getAutoCommit(), silence(connection, longestSilence));
    connection.setAutoCommit(autoCommit);
    return loan;
  }

  /** As they were, whatever became of the transaction; not all pools do that themselves. */
  @Override
  public void close() throws SQLException {
    if (!connection.isClosed()) {
      connection.setAutoCommit(autoCommit);
      int unused = silence(connection, networkTimeout);
    }
  }

  /** Bounds the wait for an answer, 0 for none; the bound before. Asks no server. */
  private static int silence(Connection connection, int bound) throws SQLException {
    try {
      int before = connection.getNetworkTimeout();
      connection.setNetworkTimeout(Runnable::run, bound);
      return before;
    } catch (SQLFeatureNotSupportedException e) {
      LOG.debug("This data source's connections do not bound the wait for an answer", e);
      return 0;
    }
  }
}
