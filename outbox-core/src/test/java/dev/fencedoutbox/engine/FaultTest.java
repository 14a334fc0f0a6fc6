package dev.fencedoutbox.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultTest {

  @ParameterizedTest
  @CsvSource({
    "08006, OUTAGE",
    "08001, OUTAGE",
    "53300, OUTAGE",
    "57P01, OUTAGE",
    "57014, SLOW",
    "58030, OUTAGE",
    "25006, OUTAGE",
    "25P03, OUTAGE",
    "'', OUTAGE",
    "40001, CONFLICT",
    "40P01, CONFLICT",
    "55P03, LOCKED",
    "23505, BROKEN",
    "42P01, BROKEN",
    "42501, BROKEN",
    "P0001, BROKEN",
    "22021, BROKEN"
  })
  void sqlState_decides(String sqlState, Fault.Kind kind) {
    assertThat(Fault.of(new SQLException("x", sqlState)).kind()).isEqualTo(kind);
  }

  @Test
  void sqlState_isFoundUnderWhatTheHostMadeOfIt() {
    Throwable translated =
        new IllegalStateException(
            new DataAccessException("by jOOQ", new SQLException("x", "40P01")));
    assertThat(Fault.of(translated).kind()).isEqualTo(Fault.Kind.CONFLICT);
    assertThat(Fault.of(translated).sqlState()).isEqualTo("40P01");
  }

  @Test
  void exhaustedPool_isAnOutage_whateverItsState() {
    assertThat(Fault.of(new SQLTransientConnectionException("timed out", "42000")).kind())
        .isEqualTo(Fault.Kind.OUTAGE);
    assertThat(Fault.of(new SQLException("pool closed")).kind()).isEqualTo(Fault.Kind.OUTAGE);
  }

  @Test
  void withoutASqlException_theStatementIsToBlame_orTheDataSource() {
    Throwable bug = new IllegalStateException("bug");
    assertThat(Fault.of(bug).kind()).isEqualTo(Fault.Kind.BROKEN);
    assertThat(Fault.of(bug).sqlState()).isEqualTo("none");
    assertThat(Fault.ofConnecting(bug).kind()).isEqualTo(Fault.Kind.OUTAGE);
    assertThat(Fault.ofConnecting(new SQLException("x", "28P01")).kind())
        .isEqualTo(Fault.Kind.BROKEN);
  }

  @Test
  void causes_thatGoInCircles_end() {
    Exception one = new Exception("one");
    Exception other = new Exception("other", one);
    one.initCause(other);
    assertThat(Fault.of(one).kind()).isEqualTo(Fault.Kind.BROKEN);
  }
}
