package dev.fencedoutbox.it.labs;

import dev.fencedoutbox.it.support.TestDatabase;
import java.sql.SQLException;

/** The shop's own jobs pass all six. */
class JobRecoveryTest extends RecoveryContract {
  static final TestDatabase DB = TestDatabase.create();

  JobRecoveryTest() throws SQLException {
    super(DB, new FencedJobs());
  }
}
