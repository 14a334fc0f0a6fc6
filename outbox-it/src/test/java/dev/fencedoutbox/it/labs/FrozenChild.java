package dev.fencedoutbox.it.labs;

import static dev.fencedoutbox.it.shop.Tables.JOB;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.only;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencedoutbox.it.app.ShopJobs;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Outbox;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.jooq.DSLContext;
import org.jooq.Field;

/**
 * A worker process that claims a delivery and a job, is frozen, and tries every write under both
 * leases when it goes on. Argument: the database's URL.
 */
final class FrozenChild {

  private static final Leases LEASES = Leases.ownedBy("frozen");

  private FrozenChild() {}

  public static void main(String[] arguments) throws SQLException, IOException {
    try (Connection connection = DriverManager.getConnection(arguments[0]);
        BufferedReader parent = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      DSLContext dsl = TestDatabase.on(connection);
      Lease<Long> delivery =
          only(LEASES.claim(dsl, Outbox.create().deliveries(Channel.DEFAULT), LONG, 1));
      Lease<Long> job = only(LEASES.claim(dsl, ShopJobs.JOBS, LONG, 1));
      print("CLAIMED " + delivery.key() + " " + job.key());
      print("PID " + ProcessHandle.current().pid());
      parent.readLine();
      tryAll("delivery", dsl, delivery, DELIVERY.CHANNEL);
      tryAll("job", dsl, job, JOB.INPUT);
      print("WROTE nothing else");
    }
  }

  private static void tryAll(
      String what, DSLContext dsl, Lease<Long> lease, Field<String> progress) {
    for (Write write : Write.values()) {
      print("WROTE " + what + " " + write + " " + write.on(dsl, LEASES, lease, progress));
    }
  }

  private static void print(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
