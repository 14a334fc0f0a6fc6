package dev.fencedoutbox.it.labs;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * A worker process that claims one row in auto-commit mode, says so, and then stands at its work
 * until it is killed. Arguments: the class of the {@link RecoveryPort}, and the database's URL.
 */
final class RecoveryChild {

  private RecoveryChild() {}

  public static void main(String[] arguments)
      throws ReflectiveOperationException, SQLException, IOException {
    RecoveryPort port =
        Class.forName(arguments[0])
            .asSubclass(RecoveryPort.class)
            .getDeclaredConstructor()
            .newInstance();
    try (Connection connection = DriverManager.getConnection(arguments[1])) {
      RecoveryPort.Claim claim = port.claim(connection).orElseThrow();
      System.out.println("CLAIMED " + claim.key() + " " + claim.epoch());
      System.out.flush();
      // Comes back only if the parent is gone, and then there is nothing left to wait for
      System.in.read();
    }
  }
}
