package dev.fencedoutbox.it.cases;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencedoutbox.it.support.Leased;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Verb;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Where a transaction keeps its first snapshot, a race that was lost since is no outcome: the
 * snapshot does not show it. The database says so, and the row stays as the winner left it.
 */
class IsolationTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final String SERIALIZATION_FAILURE = "40001";
  private static final Leases WINNER = Leases.ownedBy("winner");
  private static final Leases LATE = Leases.ownedBy("late");

  private final DSLContext dsl = DB.dsl();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  static Stream<Arguments> levels() {
    return Stream.of(Leased.values())
        .flatMap(
            kind ->
                Stream.of(
                    Arguments.of(kind, Connection.TRANSACTION_REPEATABLE_READ),
                    Arguments.of(kind, Connection.TRANSACTION_SERIALIZABLE)));
  }

  static Stream<Arguments> writes() {
    return levels()
        .flatMap(
            level ->
                Stream.of(Verb.values())
                    .map(verb -> Arguments.of(level.get()[0], level.get()[1], verb)));
  }

  @ParameterizedTest
  @MethodSource("writes")
  void write_underALeaseLostSinceTheSnapshot_isASerializationFailure(
      Leased kind, int level, Verb verb) throws SQLException {
    Lease<Long> lease = kind.claimed(dsl, "row", 1, LONG).get(0);
    try (Connection connection = snapshot(kind, level)) {
      Lease<Long> ofWinner = kind.takeOver(dsl, lease.key(), "winner");
      String row = kind.row(dsl, lease.key());

      assertSerializationFailure(
          () -> verb.write(kind, TestDatabase.on(connection), List.of(lease)));

      connection.rollback();
      assertThat(kind.row(dsl, lease.key())).isEqualTo(row);
      assertThat(WINNER.complete(dsl, ofWinner)).isEqualTo(LeaseOutcome.ACCEPTED);
    }
  }

  @ParameterizedTest
  @MethodSource("levels")
  void claimByKey_ofARowClaimedSinceTheSnapshot_isASerializationFailure(Leased kind, int level)
      throws SQLException {
    long id = kind.addOne(dsl, "row");
    try (Connection connection = snapshot(kind, level)) {
      Lease<Long> ofWinner = only(WINNER.claimByKey(dsl, kind.table(), LONG, id));

      assertSerializationFailure(
          () -> LATE.claimByKey(TestDatabase.on(connection), kind.table(), LONG, id).isEmpty());

      connection.rollback();
      assertThat(WINNER.complete(dsl, ofWinner)).isEqualTo(LeaseOutcome.ACCEPTED);
    }
  }

  /** The levels are no worse where nobody else came. */
  @ParameterizedTest
  @MethodSource("levels")
  void claimAndComplete_withoutARival_areAccepted(Leased kind, int level) throws SQLException {
    long id = kind.addOne(dsl, "row");
    try (Connection connection = snapshot(kind, level)) {
      DSLContext tx = TestDatabase.on(connection);
      Lease<Long> lease = only(LATE.claimByKey(tx, kind.table(), LONG, id));
      assertThat(LATE.complete(tx, lease)).isEqualTo(LeaseOutcome.ACCEPTED);
      connection.commit();
      assertThat(LATE.complete(tx, lease)).isIn(LeaseOutcome.GONE, LeaseOutcome.SETTLED);
    }
  }

  /** A transaction at that level that has seen the rows as they are. */
  private static Connection snapshot(Leased kind, int level) throws SQLException {
    Connection connection = DB.connect();
    connection.setAutoCommit(false);
    connection.setTransactionIsolation(level);
    TestDatabase.on(connection).fetch("select * from " + kind.qualifiedName());
    return connection;
  }

  private static void assertSerializationFailure(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            DataAccessException.class,
            e -> assertThat(e.sqlState()).isEqualTo(SERIALIZATION_FAILURE));
  }
}
