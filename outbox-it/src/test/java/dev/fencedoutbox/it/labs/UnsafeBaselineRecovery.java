package dev.fencedoutbox.it.labs;

import dev.fencedoutbox.it.support.TestDatabase;
import java.sql.SQLException;

/**
 * The contract against what must not pass it. Named so that no build runs it by itself: {@link
 * UnsafeBaselineTest} does.
 */
class UnsafeBaselineRecovery extends RecoveryContract {
  static final TestDatabase DB = TestDatabase.create();

  UnsafeBaselineRecovery() throws SQLException {
    super(DB, new UnsafeBaseline());
  }
}
