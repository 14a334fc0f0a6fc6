package dev.fencedoutbox.it.job;

import static dev.fencedoutbox.it.job.Counts.COUNTS;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencedoutbox.it.app.ShopJobs;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.job.JobView;
import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.Leases;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.jooq.DSLContext;

/**
 * A worker process that counts: it goes on from the job's checkpoint, one step for each line that
 * it reads, and says which step it has committed. Arguments: the database's URL.
 */
final class JobChild {

  /** As a line: not to count on, but to try every kind of write once more, and to end. */
  static final String ALL_AT_ONCE = "all at once";

  private JobChild() {}

  public static void main(String[] arguments) throws SQLException, IOException {
    try (Connection connection = DriverManager.getConnection(arguments[0]);
        BufferedReader parent = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      DSLContext dsl = TestDatabase.on(connection);
      Claimed<Long, JobView<Integer, Integer, Integer>> claimed =
          Leases.ownedBy("child").claim(dsl, COUNTS.table(), LONG, 1).first().orElseThrow();
      int reached = claimed.row().checkpoint().orElse(0);
      print("FROM " + reached);
      print("PID " + ProcessHandle.current().pid());
      while (reached < claimed.row().input()) {
        if (ALL_AT_ONCE.equals(parent.readLine())) {
          tryAll(dsl, claimed.lease());
          return;
        }
        reached++;
        print("STEP " + reached + " " + COUNTS.checkpoint(dsl, claimed.lease(), reached));
      }
      print("FINISHED " + COUNTS.finish(dsl, claimed.lease(), reached, ShopJobs.storing("child")));
    }
  }

  private static void tryAll(DSLContext dsl, Lease<Long> lease) {
    for (Write write : Write.values()) {
      print("TRIED " + write + " " + write.on(dsl, lease));
    }
    print("TRIED all");
  }

  private static void print(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
