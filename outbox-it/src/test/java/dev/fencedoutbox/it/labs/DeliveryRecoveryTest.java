package dev.fencedoutbox.it.labs;

import dev.fencedoutbox.it.support.TestDatabase;
import java.sql.SQLException;

/** The library's deliveries pass all six. */
class DeliveryRecoveryTest extends RecoveryContract {
  static final TestDatabase DB = TestDatabase.create();

  DeliveryRecoveryTest() throws SQLException {
    super(DB, new FencedDeliveries());
  }
}
