package dev.fencedoutbox.it.matrix;

import static org.junit.platform.engine.discovery.ClassNameFilter.excludeClassNamePatterns;
import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;

import dev.fencedoutbox.it.support.TestDatabase;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jooq.Constants;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs the contract suites in this JVM, on what it finds on its class path, and says on what. Not
 * among them is what depends on none of that, or on more: generation, brokers, HTTP, benchmarks.
 */
public final class ContractSuites {

  private static final String ROOT = "dev.fencedoutbox.it.";
  private static final List<String> PACKAGES =
      List.of("labs", "cases", "tables", "manners", "order", "operate", "job", "inbox", "schema");
  private static final List<String> CLASSES =
      List.of(
          "relay.RelayTest",
          "testkit.FencedEffectCheckTest",
          "proofs.JobClaimPlanTest",
          "proofs.OrderedClaimPlanTest",
          "proofs.PlansAtScaleTest",
          "proofs.WriteCostTest");

  /** Generates, which only the jOOQ of the build does; races for as long as all the others take. */
  private static final List<String> LEFT_OUT = List.of("GenerationTest", "RaceTest");

  /** Migrations and plans are PostgreSQL's alone; processes take long. */
  private static final List<String> ONCE_PER_POSTGRES =
      List.of(
          "MigrationTest",
          "JobClaimPlanTest",
          "OrderedClaimPlanTest",
          "PlansAtScaleTest",
          "WriteCostTest",
          "StaleStatisticsTest",
          "CrashLoopTest",
          "FrozenWorkerTest",
          "JobProcessTest",
          "TwoPodsTest");

  private ContractSuites() {}

  /**
   * Ends the JVM with the exit status.
   *
   * @param args {@code whole}, or {@code brief} without what is run once per PostgreSQL
   */
  public static void main(String[] args) throws SQLException, ReflectiveOperationException {
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request(args[0].equals("brief")), summary, new Speaker());
    Ran ran = ran(summary.getSummary());
    System.out.println(ran.line());
    System.exit(ran.failed() == 0 ? 0 : 1);
  }

  private static LauncherDiscoveryRequest request(boolean brief) {
    List<DiscoverySelector> selectors = new ArrayList<>();
    PACKAGES.forEach(name -> selectors.add(DiscoverySelectors.selectPackage(ROOT + name)));
    CLASSES.forEach(name -> selectors.add(DiscoverySelectors.selectClass(ROOT + name)));
    List<String> leftOut = new ArrayList<>(LEFT_OUT);
    if (brief) {
      leftOut.addAll(ONCE_PER_POSTGRES);
    }
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(selectors)
        .filters(
            includeClassNamePatterns(".*Test"),
            excludeClassNamePatterns(".*[.](" + String.join("|", leftOut) + ")"))
        .build();
  }

  private static Ran ran(TestExecutionSummary summary)
      throws SQLException, ReflectiveOperationException {
    try (Connection connection = TestDatabase.create().connect()) {
      DatabaseMetaData database = connection.getMetaData();
      return new Ran(
          database.getDatabaseProductVersion().split(" ", -1)[0],
          // By reflection: javac copies the constant of the jOOQ that it compiles with
          String.valueOf(Constants.class.getField("FULL_VERSION").get(null)),
          System.getProperty("java.version"),
          database.getDriverVersion(),
          summary.getTestsFoundCount(),
          summary.getTestsSkippedCount() + summary.getTestsAbortedCount(),
          summary.getTotalFailureCount());
    }
  }

  /** Tells of each class and each failure as it comes. */
  private static final class Speaker implements TestExecutionListener {

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      result
          .getThrowable()
          .ifPresent(
              thrown -> {
                System.out.printf(
                    "%s: %s %s%n", result.getStatus(), className(test), test.getDisplayName());
                thrown.printStackTrace(System.out);
              });
    }

    private static String className(TestIdentifier test) {
      return Arrays.stream(test.getUniqueId().split("/", -1))
          .filter(segment -> segment.startsWith("[class:"))
          .map(segment -> segment.replaceAll("\\[class:|]", ""))
          .findFirst()
          .orElse("");
    }
  }
}
