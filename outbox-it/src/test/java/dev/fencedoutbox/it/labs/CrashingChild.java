package dev.fencedoutbox.it.labs;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Outbox;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jooq.DSLContext;

/**
 * A worker whose message brings it down: it claims one delivery, starts on it, and is gone before
 * it can record anything. Arguments: the attempt budget, and the database's URL.
 */
final class CrashingChild {

  /** How it ends when it had something to do. */
  static final int CRASHED = 3;

  private CrashingChild() {}

  public static void main(String[] arguments) throws SQLException {
    ClaimTerms terms =
        ClaimTerms.leaseFor(Duration.ofMinutes(10))
            .withAttemptBudget(Integer.parseInt(arguments[0]));
    try (Connection connection = DriverManager.getConnection(arguments[1])) {
      DSLContext dsl = TestDatabase.on(connection);
      List<Lease<Long>> claimed =
          Leases.ownedBy("crashing")
              .claim(dsl, Outbox.create().deliveries(Channel.DEFAULT), terms, 1)
              .claimed()
              .stream()
              .map(claim -> claim.lease())
              .toList();
      if (claimed.isEmpty()) {
        System.out.println("CLAIM nothing");
        return;
      }
      System.out.println("CLAIM attempt " + claimed.get(0).attempts());
      System.out.flush();
      Runtime.getRuntime().halt(CRASHED);
    }
  }
}
