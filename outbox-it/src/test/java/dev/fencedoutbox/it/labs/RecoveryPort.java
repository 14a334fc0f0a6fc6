package dev.fencedoutbox.it.labs;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * A worker and its table as {@link RecoveryContract} sees them. Every call runs on the connection
 * that it is given, inside its transaction if there is one.
 */
interface RecoveryPort {

  /** What a row is doing, whatever its table calls it. */
  enum Status {
    WAITING,
    LEASED,
    DONE
  }

  /** The persisted state of a row. */
  record Row(Status status, long epoch, boolean deadline) {

    static Row leased(long epoch) {
      return new Row(Status.LEASED, epoch, true);
    }

    static Row done(long epoch) {
      return new Row(Status.DONE, epoch, false);
    }
  }

  /** What a worker holds after a claim. */
  interface Claim {

    long key();

    long epoch();

    /** Records success; whether that was written. */
    boolean complete(Connection connection) throws SQLException;

    /** Records failure; whether that was written. */
    boolean retry(Connection connection) throws SQLException;
  }

  /** Makes the table empty. */
  void reset(Connection connection) throws SQLException;

  /** Adds a row that waits and is due. */
  long insert(Connection connection, String name) throws SQLException;

  /** Claims the oldest claimable row. */
  Optional<Claim> claim(Connection connection) throws SQLException;

  /** Moves a deadline into the past. */
  void expire(Connection connection, long key) throws SQLException;

  /** Writes a newer, live claim into the row, without the claim statement. */
  void supersede(Connection connection, long key) throws SQLException;

  /** Reads what is stored. */
  Row row(Connection connection, long key) throws SQLException;
}
