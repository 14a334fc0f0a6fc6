package dev.fencedoutbox.engine;

import dev.fencedoutbox.internal.Durations;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.conf.Settings;
import org.jooq.impl.DefaultConfiguration;
import org.jooq.impl.DefaultConnectionProvider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Short transactions of the engine's own, each on a connection that is borrowed for it and returned
 * at once. The only place of the library that commits.
 *
 * <p>They are READ COMMITTED whatever the default is, never wait long for a row lock, and give up a
 * connection on which the server has been silent for a lease. Thread-safe.
 */
public final class OwnTransactions {

  @FunctionalInterface
  private interface Body<T> {
    Tried<T> on(Connection connection) throws SQLException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(OwnTransactions.class);
  private static final Duration SHORTEST_IDLE = Duration.ofSeconds(1);
  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(10);
  private static final Duration SHORTEST_LOCK_WAIT = Duration.ofMillis(10);
  private static final Duration LONGEST_LOCK_WAIT = Duration.ofMillis(500);

  private final DataSource dataSource;
  private final Configuration jooq;
  private final Duration longestSilence;
  private final String alwaysSet;
  private volatile @Nullable String setUp;
  private volatile boolean plainDefaults;

  /** On connections of {@code dataSource}, with the settings and listeners of {@code jooq}. */
  public OwnTransactions(DataSource dataSource, Configuration jooq, Duration leaseFor) {
    this.dataSource = dataSource;
    this.jooq = jooq;
    this.longestSilence = Durations.atMost(idleFor(leaseFor), LONGEST_SILENCE);
    this.alwaysSet =
        "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = "
            + lockWait(leaseFor).toMillis()
            + "; SET LOCAL idle_in_transaction_session_timeout = "
            + idleFor(leaseFor).toMillis();
  }

  /** For hosts that bring no configuration. Times are read as the driver has them, not as text. */
  public static Configuration usualConfiguration() {
    return new DefaultConfiguration()
        .set(SQLDialect.POSTGRES)
        .set(new Settings().withBindOffsetDateTimeType(true));
  }

  /**
   * One lease: a process that is frozen or cut off in the middle of a transaction must not hold row
   * locks for longer, since nobody could claim those rows. The server then ends its session.
   */
  public static Duration idleFor(Duration leaseFor) {
    return leaseFor.compareTo(SHORTEST_IDLE) < 0 ? SHORTEST_IDLE : leaseFor;
  }

  /**
   * A fortieth of the lease, so that the others of a batch do not lose their leases over a row that
   * somebody has locked.
   */
  public static Duration lockWait(Duration leaseFor) {
    return Durations.clamp(leaseFor.dividedBy(40), SHORTEST_LOCK_WAIT, LONGEST_LOCK_WAIT);
  }

  /** Commits what {@code body} did, unless it throws. */
  public <T> Tried<T> attempt(Function<DSLContext, T> body) {
    return attempt(body, value -> true);
  }

  /**
   * The same of a {@code body} of one statement that waits for no lock. Where the defaults are
   * those that it needs, it is its own transaction, which saves two round trips. What cannot be
   * read back is not tried that way again, since it has taken place.
   */
  public <T> Tried<T> attemptStatement(Function<DSLContext, T> body) {
    if (!plainDefaults) {
      return attempt(body);
    }
    Tried<T> tried =
        onLoan(true, connection -> new Tried.Done<>(body.apply(context(connection)), true));
    if (tried instanceof Tried.Failed<T> failed && failed.fault().kind() == Fault.Kind.BROKEN) {
      plainDefaults = false;
    }
    return tried;
  }

  private DSLContext context(Connection connection) {
    return jooq.derive(new DefaultConnectionProvider(connection)).dsl();
  }

  /** Commits what {@code body} did if {@code wanted} says so, and rolls it back otherwise. */
  <T> Tried<T> attempt(Function<DSLContext, T> body, Predicate<T> wanted) {
    return onLoan(false, connection -> inTransaction(connection, body, wanted));
  }

  private <T> Tried<T> onLoan(boolean autoCommit, Body<T> body) {
    Connection borrowed;
    try {
      borrowed = dataSource.getConnection();
    } catch (SQLException | RuntimeException | Error e) {
      return new Tried.Failed<>(Fault.ofConnecting(e));
    }
    @Nullable Tried<T> done = null;
    try (Connection connection = borrowed;
        Loan loan = Loan.of(connection, autoCommit, (int) longestSilence.toMillis())) {
      done = body.on(loan.connection());
      return done;
    } catch (SQLException | RuntimeException | Error e) {
      if (done != null) {
        LOG.warn("A transaction has ended, but its connection could not be given back well", e);
        return done;
      }
      // An Error as well: what is in hand would be forgotten with it
      return new Tried.Failed<>(Fault.of(e));
    }
  }

  private <T> Tried<T> inTransaction(
      Connection connection, Function<DSLContext, T> body, Predicate<T> wanted)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(setUp(statement));
      T value = body.apply(context(connection));
      boolean committed = wanted.test(value);
      if (committed) {
        connection.commit();
      } else {
        connection.rollback();
      }
      return new Tried.Done<>(value, committed);
    } catch (SQLException | RuntimeException | Error e) {
      rollback(connection, e);
      throw e;
    }
  }

  private static void rollback(Connection connection, Throwable why) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      why.addSuppressed(e); // most often the connection is gone, and the transaction with it
    }
  }

  /**
   * Whether it can be used now; false if it cannot be reached yet.
   *
   * @throws IllegalStateException if the table is not there or may not be read
   */
  public boolean isReady(String who, Table<?> table) {
    if (!(check(table) instanceof Tried.Failed<Integer> failed)) {
      return true;
    }
    Fault fault = failed.fault();
    if (fault.kind() == Fault.Kind.BROKEN) {
      throw new IllegalStateException(
          "%s cannot use this database (SQLSTATE %s): %s. Nothing was started. Are the tables there (OutboxMigrations), and does the role have its rights on them?"
              .formatted(who, fault.sqlState(), fault.cause()),
          fault.cause());
    }
    LOG.warn(
        "{} cannot reach the database yet (SQLSTATE {}): {}. It is started and begins when it can.",
        who,
        fault.sqlState(),
        String.valueOf(fault.cause()));
    return false;
  }

  /** Whether the table is there and may be read. */
  Tried<Integer> check(Table<?> table) {
    return attempt(dsl -> dsl.selectOne().from(table).limit(0).fetch().size());
  }

  /**
   * Asked once: whether commits are durable by default. A crash could forget a claim that was not,
   * and give out its epoch twice, so then the relay's own are made durable.
   */
  private String setUp(Statement statement) throws SQLException {
    String known = setUp;
    if (known == null) {
      boolean durable;
      boolean readCommitted;
      try (ResultSet row =
          statement.executeQuery(
              "SELECT current_setting('synchronous_commit'), current_setting('default_transaction_isolation')")) {
        row.next();
        durable = !row.getString(1).equals("off");
        readCommitted = row.getString(2).equals("read committed");
      }
      statement.getConnection().rollback();
      known = durable ? alwaysSet : alwaysSet + "; SET LOCAL synchronous_commit = on";
      plainDefaults = durable && readCommitted;
      setUp = known;
    }
    return known;
  }
}
