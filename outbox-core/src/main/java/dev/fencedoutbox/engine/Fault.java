package dev.fencedoutbox.engine;

import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a transaction of the engine's own failed, told by the SQLState, since hosts translate jOOQ's
 * exceptions.
 */
public record Fault(Kind kind, Throwable cause) {

  /** What to do about it. */
  public enum Kind {
    /** The database cannot be reached or does not write now: repeat the same, later. */
    OUTAGE,
    /** Somebody was in the way: repeat it, without the row that is to blame if that lasts. */
    CONFLICT,
    /** A row is locked by somebody else: repeat, without the rows that are. */
    LOCKED,
    /** It was cancelled, as by a time limit: likewise, and each try may take as long. */
    SLOW,
    /** It may fail again: find the row that is to blame. */
    BROKEN
  }

  /** How much of the time there is for failures it has taken. */
  int cost() {
    return switch (kind) {
      case LOCKED -> 2;
      case SLOW -> 6;
      case OUTAGE, CONFLICT, BROKEN -> 1;
    };
  }

  /** Whether the transaction may have taken place all the same. */
  boolean mayHaveTakenPlace() {
    return kind == Kind.OUTAGE || sqlException(cause) == null;
  }

  /** Whether the rest of a batch might succeed without one of its rows. */
  boolean mayBeOfOneRow() {
    return kind != Kind.OUTAGE;
  }

  static Fault of(Throwable cause) {
    @Nullable SQLException sql = sqlException(cause);
    return new Fault(sql == null ? Kind.BROKEN : kind(sql), cause);
  }

  /** No row is to blame if there was no connection, whatever the data source throws. */
  static Fault ofConnecting(Throwable cause) {
    return sqlException(cause) == null ? new Fault(Kind.OUTAGE, cause) : of(cause);
  }

  private static Kind kind(SQLException sql) {
    String state = Optional.ofNullable(sql.getSQLState()).orElse("");
    if (state.equals("55P03")) {
      return Kind.LOCKED;
    }
    if (state.startsWith("40")) {
      return Kind.CONFLICT;
    }
    if (state.equals("57014")) {
      return Kind.SLOW;
    }
    boolean outage =
        state.isEmpty() // not from the database: a pool that is closed, say
            || state.startsWith("08") // connection
            || state.startsWith("53") // resources
            || state.startsWith("57") // shut down, terminated
            || state.startsWith("58") // input and output
            || state.equals("25006") // read only, as after a failover
            || state.equals("25P03") // idle in transaction for too long
            || sql instanceof SQLTransientException; // a pool that is exhausted
    return outage ? Kind.OUTAGE : Kind.BROKEN;
  }

  private static @Nullable SQLException sqlException(@Nullable Throwable cause) {
    int depth = 0;
    for (Throwable at = cause; at != null && depth < 20; at = at.getCause()) {
      if (at instanceof SQLException sql) {
        return sql;
      }
      depth++;
    }
    return null;
  }

  /** The SQLState, for people. */
  public String sqlState() {
    @Nullable SQLException sql = sqlException(cause);
    return sql == null ? "none" : String.valueOf(sql.getSQLState());
  }
}
