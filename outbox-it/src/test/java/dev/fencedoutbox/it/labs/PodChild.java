package dev.fencedoutbox.it.labs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import dev.fencedoutbox.it.support.Fixtures;
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
import java.util.List;
import org.jooq.DSLContext;

/**
 * One of two pods. On the first line that it hears it claims one batch and prints it; on the second
 * it claims and prints until a batch is empty. Arguments: its name, and the database's URL.
 */
final class PodChild {

  private static final int BATCH = 7;

  private PodChild() {}

  public static void main(String[] arguments) throws SQLException, IOException {
    Leases leases = Leases.ownedBy(arguments[0]);
    try (Connection connection = DriverManager.getConnection(arguments[1]);
        BufferedReader parent = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      DSLContext dsl = TestDatabase.on(connection);
      print("READY");
      parent.readLine();
      List<Lease<Long>> batch = claim(leases, dsl);
      print("BATCH " + text(batch));
      parent.readLine();
      while (!batch.isEmpty()) {
        batch = claim(leases, dsl);
        print("BATCH " + text(batch));
      }
    }
  }

  private static List<Lease<Long>> claim(Leases leases, DSLContext dsl) {
    return Fixtures.leases(
        leases.claim(dsl, Outbox.create().deliveries(Channel.DEFAULT), Fixtures.LONG, BATCH));
  }

  private static String text(List<Lease<Long>> batch) {
    return batch.stream().map(lease -> Long.toString(lease.key())).collect(joining(" "));
  }

  private static void print(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
