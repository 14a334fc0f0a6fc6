package dev.fencedoutbox.it.mutants;

import static org.junit.platform.launcher.EngineFilter.includeEngines;

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

  /** A test that was run. */
  record Ran(String id, String name, long nanos, boolean passed, String error, Set<String> sent) {}

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

  private final Launcher launcher =
      LauncherFactory.create(
          LauncherConfig.builder().enableTestExecutionListenerAutoRegistration(false).build());
  private final Supplier<Set<String>> sentLately;

  /** With somebody who knows what was sent since the last question. */
  Suites(Supplier<Set<String>> sentLately) {
    this.sentLately = sentLately;
  }

  /** The contract suites. */
  List<Ran> runAll() {
    List<DiscoverySelector> selectors = new ArrayList<>();
    PACKAGES.forEach(name -> selectors.add(DiscoverySelectors.selectPackage(ROOT + name)));
    return run(
        request(selectors).filters(ClassNameFilter.excludeClassNamePatterns(LEFT_OUT)).build());
  }

  /** One test. */
  List<Ran> run(String id) {
    return run(request(List.of(DiscoverySelectors.selectUniqueId(id))).build());
  }

  private static LauncherDiscoveryRequestBuilder request(List<DiscoverySelector> selectors) {
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(selectors)
        .filters(includeEngines("junit-jupiter"))
        .configurationParameter("junit.jupiter.execution.timeout.default", "40 s");
  }

  private List<Ran> run(LauncherDiscoveryRequest request) {
    Listener listener = new Listener();
    launcher.execute(request, listener);
    return listener.ran;
  }

  private final class Listener implements TestExecutionListener {

    private final List<Ran> ran = new ArrayList<>();
    private long startedNanos;

    @Override
    public void executionStarted(TestIdentifier test) {
      if (test.isTest()) {
        Set<String> unused = sentLately.get();
        startedNanos = System.nanoTime();
      }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      boolean passed = result.getStatus() == Status.SUCCESSFUL;
      if (test.isTest() || !passed) {
        ran.add(
            new Ran(
                test.getUniqueId(),
                name(test),
                System.nanoTime() - startedNanos,
                passed,
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
