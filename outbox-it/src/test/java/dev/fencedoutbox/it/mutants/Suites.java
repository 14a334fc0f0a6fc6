package dev.fencedoutbox.it.mutants;

import static org.junit.platform.launcher.EngineFilter.includeEngines;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs tests in this JVM. */
final class Suites {

  /** How a test ended. */
  enum End {
    PASSED,
    FAILED,
    /**
     * A limit of time ended it, the server's, JUnit's or its {@link Deadline}, and no assertion.
     */
    GAVE_UP
  }

  /** A test that was run. */
  record Ran(String id, String name, long nanos, End end, String error, Set<String> sent) {

    boolean passed() {
      return end == End.PASSED;
    }
  }

  private static final String ROOT = "dev.fencedoutbox.it.";

  private static final List<String> PACKAGES =
      List.of(
          "guards", "labs", "cases", "inbox", "job", "manners", "operate", "order", "proofs",
          "relay", "testkit");

  /**
   * For the sake of time: those that take seconds each, whose work is done in other processes, or
   * that need a server of their own; the articles' unsafe baseline, which must fail; and two whose
   * tests do not run twice in one JVM.
   */
  private static final String LEFT_OUT =
      ".*\\.(CloseTest|CrashLoopTest|DatabaseFaultsTest|FrozenTransactionTest|FrozenWorkerTest"
          + "|FutureHandlerTest|HostExecutorTest|HostSettingsTest|HungHeadTest|IdleCostTest"
          + "|JobProcessTest|JsonTest|MillionRowsTest|NotificationsTest|NotifierTest"
          + "|NotifyQueueFullTest|OrderUnderFaultsTest|PlansAtScaleTest|PoolTest|RaceTest|RebalanceTest"
          + "|RequiredColumnsTest|SchemaChangeTest|SessionDefaultsTest|SlackPostTest|SlowHandlerTest"
          + "|StaleStatisticsTest|TwoPodsTest|UnsafeBaseline\\w*)";

  /** For a test as it is; JUnit's limit is longer, for one that sends nothing any more. */
  private static final Duration MOST = Duration.ofSeconds(40);

  /** For a test under a mutant, besides the time that it takes: more than it awaits anything. */
  private static final Duration SLACK = Duration.ofSeconds(11);

  private final Launcher launcher =
      LauncherFactory.create(
          LauncherConfig.builder()
              .enableTestExecutionListenerAutoRegistration(false)
              .enableLauncherSessionListenerAutoRegistration(false) // it makes awaits patient
              .build());
  private final Supplier<Set<String>> sentLately;
  private final Deadline deadline;

  /** With somebody who knows what was sent since the last question, and one who ends tests. */
  Suites(Supplier<Set<String>> sentLately, Deadline deadline) {
    this.sentLately = sentLately;
    this.deadline = deadline;
  }

  /** The contract suites. */
  List<Ran> runAll() {
    List<DiscoverySelector> selectors = new ArrayList<>();
    PACKAGES.forEach(name -> selectors.add(DiscoverySelectors.selectPackage(ROOT + name)));
    return run(
        request(selectors, MOST)
            .filters(ClassNameFilter.excludeClassNamePatterns(LEFT_OUT))
            .build(),
        MOST);
  }

  /** One test that has passed before, and needs about as long as then unless it hangs. */
  End run(Ran before) {
    Duration most = SLACK.plusNanos(3 * before.nanos());
    List<Ran> ran =
        run(request(List.of(DiscoverySelectors.selectUniqueId(before.id())), most).build(), most);
    if (!ran.isEmpty() && ran.stream().allMatch(Ran::passed)) {
      return End.PASSED;
    }
    return ran.stream().anyMatch(one -> one.end() == End.GAVE_UP) ? End.GAVE_UP : End.FAILED;
  }

  private static LauncherDiscoveryRequestBuilder request(
      List<DiscoverySelector> selectors, Duration most) {
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(selectors)
        .filters(includeEngines("junit-jupiter"))
        .configurationParameter(
            "junit.jupiter.execution.timeout.default", most.plusSeconds(2).toSeconds() + " s")
        .configurationParameter(
            "junit.jupiter.execution.timeout.thread.mode.default", "SEPARATE_THREAD");
  }

  private List<Ran> run(LauncherDiscoveryRequest request, Duration most) {
    Listener listener = new Listener(most);
    launcher.execute(request, listener);
    return listener.ran;
  }

  private final class Listener implements TestExecutionListener {

    private final List<Ran> ran = new ArrayList<>();
    private final Duration most;
    private long startedNanos;

    Listener(Duration most) {
      this.most = most;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
      if (test.isTest()) {
        Set<String> unused = sentLately.get();
        startedNanos = System.nanoTime();
        deadline.start(most);
      }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      long nanos = System.nanoTime() - startedNanos;
      boolean late = deadline.end();
      boolean passed = result.getStatus() == Status.SUCCESSFUL;
      if (test.isTest() || !passed) {
        boolean limited = late || TimeLimits.ended(result.getThrowable().orElse(null), nanos);
        ran.add(
            new Ran(
                test.getUniqueId(),
                name(test),
                nanos,
                passed ? End.PASSED : limited ? End.GAVE_UP : End.FAILED,
                result.getThrowable().map(String::valueOf).orElse(""),
                sentLately.get()));
      }
    }
  }

  private static String name(TestIdentifier test) {
    String method =
        test.getSource()
            .filter(MethodSource.class::isInstance)
            .map(MethodSource.class::cast)
            .map(source -> simple(source.getClassName()) + "." + source.getMethodName())
            .orElse(test.getLegacyReportingName());
    String shown = test.getDisplayName();
    return shown.startsWith("[") ? method + " " + shown : method;
  }

  private static String simple(String className) {
    return className.substring(className.lastIndexOf('.') + 1);
  }
}
