package dev.fencedoutbox.it.labs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.labs.RecoveryPort.Claim;
import dev.fencedoutbox.it.labs.RecoveryPort.Row;
import dev.fencedoutbox.it.support.ChildJvm;
import dev.fencedoutbox.it.support.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The six tests of article 000. */
abstract class RecoveryContract {

  private final TestDatabase database;
  private final RecoveryPort port;
  private final Connection connection;

  RecoveryContract(TestDatabase database, RecoveryPort port) throws SQLException {
    this.database = database;
    this.port = port;
    this.connection = database.connect();
  }

  @BeforeEach
  void emptyTable() throws SQLException {
    port.reset(connection);
    try (Statement statement = connection.createStatement()) {
      // A claim that waited for another's lock would wait for ever; so it is an error
      statement.execute("SET lock_timeout = '5s'");
    }
  }

  @AfterEach
  void disconnect() throws SQLException {
    connection.close();
  }

  @Test
  void claimOfAKilledProcess_isRecovered_onceItsLeaseIsOver() throws SQLException {
    long key = port.insert(connection, "event-001");
    try (ChildJvm child =
        ChildJvm.start(RecoveryChild.class, port.getClass().getName(), database.url())) {
      assertThat(child.await("CLAIMED ")).isEqualTo(key + " 1");
      assertThat(child.kill()).as("exit status of the killed process").isEqualTo(ChildJvm.KILLED);
    }
    assertThat(port.row(connection, key))
        .as("what the killed process left")
        .isEqualTo(Row.leased(1));
    assertThat(port.claim(connection)).as("a claim while the lease is live").isEmpty();
    port.expire(connection, key);

    Optional<Claim> recovered = port.claim(connection);

    assertThat(recovered).as("the stranded row, claimed again").isPresent();
    assertThat(recovered.get().key()).isEqualTo(key);
    assertThat(recovered.get().epoch()).isEqualTo(2);
    assertThat(recovered.get().complete(connection)).isTrue();
    assertThat(port.row(connection, key)).isEqualTo(Row.done(2));
  }

  @Test
  void openClaim_isSkippedByAnother_andComesBackOnRollback() throws SQLException {
    long first = port.insert(connection, "event-001");
    long second = port.insert(connection, "event-002");
    try (Connection open = database.connect()) {
      open.setAutoCommit(false);
      assertThat(claim(open).key()).isEqualTo(first);
      assertThat(claim(connection).key()).as("the row that is not locked").isEqualTo(second);
      open.rollback();
    }

    Claim again = claim(connection);

    assertThat(again.key()).isEqualTo(first);
    assertThat(again.epoch()).as("no epoch was spent on what was rolled back").isEqualTo(1);
  }

  @Test
  void lateSuccess_underANewerEpoch_isRefused() throws SQLException {
    Claim stale = superseded();

    assertThat(stale.complete(connection)).as("a late success was written").isFalse();

    assertThat(port.row(connection, stale.key())).isEqualTo(Row.leased(2));
  }

  @Test
  void lateFailure_underANewerEpoch_isRefused() throws SQLException {
    Claim stale = superseded();

    assertThat(stale.retry(connection)).as("a late failure was written").isFalse();

    assertThat(port.row(connection, stale.key())).isEqualTo(Row.leased(2));
  }

  @Test
  void retry_ofWhatIsDone_isRefused() throws SQLException {
    port.insert(connection, "event-001");
    Claim claim = claim(connection);
    assertThat(claim.complete(connection)).isTrue();

    assertThat(claim.retry(connection)).isFalse();

    assertThat(port.row(connection, claim.key())).isEqualTo(Row.done(1));
    assertThat(port.claim(connection)).isEmpty();
  }

  @Test
  void expiredOwner_isRefused_beforeAnybodyReclaims() throws SQLException {
    port.insert(connection, "event-001");
    Claim claim = claim(connection);
    port.expire(connection, claim.key());

    assertThat(claim.complete(connection)).as("an expired owner's success was written").isFalse();
    assertThat(claim.retry(connection)).as("an expired owner's failure was written").isFalse();

    assertThat(port.row(connection, claim.key())).isEqualTo(Row.leased(1));
  }

  /** A claim, and in its row a newer one that is live and was not made by the claim statement. */
  private Claim superseded() throws SQLException {
    port.insert(connection, "event-001");
    Claim claim = claim(connection);
    port.supersede(connection, claim.key());
    assertThat(port.row(connection, claim.key())).isEqualTo(Row.leased(2));
    return claim;
  }

  private Claim claim(Connection on) throws SQLException {
    return port.claim(on).orElseThrow();
  }
}
