package dev.fencedoutbox.it.proofs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.app.ShopJobs;
import dev.fencedoutbox.it.proofs.Backlog.Statistics;
import dev.fencedoutbox.it.proofs.Explained.PlanCacheMode;
import dev.fencedoutbox.it.support.ApiCall;
import dev.fencedoutbox.it.support.Proofs;
import dev.fencedoutbox.lease.LeaseStatements;
import dev.fencedoutbox.outbox.Outbox;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.Query;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every statement reads beside {@code -Dplans.rows} finished and as many future rows in each
 * table, and one hundred that are due: within its bound in {@code plan-bounds.txt}, and, where they
 * are many, no table from end to end, whatever the planner knows and however it plans.
 */
@Tag(Proofs.LEFT_OUT)
class PlansAtScaleTest {

  private static final int ROWS = Integer.getInteger("plans.rows", 20_000);

  /** With fewer, some tables are rightly read as a whole, and one state of knowledge will do. */
  private static final int MANY = 200_000;

  /**
   * Operators' calls: by the time of delivery, an index on which each delivery would pay for, or
   * without statistics.
   */
  private static final Set<String> MAY_READ_ALL_RECEIPTS = Set.of("replay", "replayAll");

  private static final Map<String, Long> BOUNDS = bounds();
  private static final Map<String, Long> MEASURED = new TreeMap<>();

  private static PlansAtScaleData data;

  @BeforeAll
  static void fill() throws SQLException {
    data = new PlansAtScaleData(ROWS);
  }

  /** For who sets the bounds. */
  @AfterAll
  static void keepFigures() throws IOException {
    Files.write(
        Path.of("target", "plans-" + ROWS + "-" + System.getProperty("test.jvm", "0") + ".txt"),
        MEASURED.entrySet().stream().map(e -> e.getValue() + " " + e.getKey()).toList(),
        UTF_8);
  }

  static Stream<Arguments> callsByStatistics() {
    return Stream.of(ROWS < MANY ? new Statistics[] {Statistics.STALE} : Statistics.values())
        .flatMap(statistics -> PlannedCalls.all().map(call -> Arguments.of(statistics, call)));
  }

  // Case 35
  @ParameterizedTest(name = "statistics {0}: {1}")
  @MethodSource("callsByStatistics")
  void statement_ofEveryCall_readsWithinItsBound(Statistics statistics, ApiCall call)
      throws SQLException {
    data.know(statistics);
    try (Connection connection = data.connect()) {
      explained(connection, call)
          .forEach((mode, statements) -> assertBounded(call, mode, statements));
    }
  }

  private static void assertBounded(ApiCall call, PlanCacheMode mode, List<Explained> statements) {
    for (Explained statement : statements) {
      if (ROWS >= MANY) {
        assertThat(statement.nodes())
            .as("%s, %s", mode, statement.text())
            .noneMatch(node -> readsAllOfATable(call, node));
      }
    }
    long read = statements.stream().mapToLong(Explained::buffers).sum();
    MEASURED.merge(call.name(), read, Math::max);
    assertThat(BOUNDS)
        .as("A bound, in plan-bounds.txt, of what was %d pages now", read)
        .containsKey(call.name());
    assertThat(read)
        .as("pages, %s, %s", mode, statements)
        .isLessThanOrEqualTo(BOUNDS.getOrDefault(call.name(), 0L));
  }

  private static boolean readsAllOfATable(ApiCall call, String node) {
    String tables = "message|delivery|inbox|job|operator_action";
    return node.matches(
        "(Parallel )?Seq Scan ("
            + (MAY_READ_ALL_RECEIPTS.contains(call.name()) ? tables : tables + "|receipt")
            + ")");
  }

  /** Each statement that the call sent, sent once more as it was. Nothing of it stays. */
  private static Map<PlanCacheMode, List<Explained>> explained(Connection connection, ApiCall call)
      throws SQLException {
    return Undone.with(
        connection,
        call,
        data,
        sent -> {
          Savepoint before = connection.setSavepoint();
          Map<PlanCacheMode, List<Explained>> explained = new EnumMap<>(PlanCacheMode.class);
          for (PlanCacheMode mode : PlanCacheMode.values()) {
            List<Explained> all = new ArrayList<>();
            for (Query query : sent) {
              all.add(Explained.of(connection, mode, query));
            }
            explained.put(mode, all);
            connection.rollback(before);
          }
          return explained;
        });
  }

  @Test
  void bounds_areOfCallsThatThereAre() {
    assertThat(BOUNDS.keySet())
        .containsExactlyInAnyOrderElementsOf(PlannedCalls.all().map(ApiCall::name).toList());
  }

  /** A new statement is in a catalog, and so has to be in a call, and so has to have a bound. */
  @Test
  void statement_ofTheCatalogs_isSentByACall() throws SQLException {
    Set<String> sent = new HashSet<>();
    try (Connection connection = data.connect()) {
      for (ApiCall call : PlannedCalls.all().toList()) {
        sent.addAll(
            Undone.with(
                connection, call, data, queries -> queries.stream().map(CatalogText::of).toList()));
      }
    }
    Map<String, String> catalog = new TreeMap<>();
    catalog.putAll(CatalogText.parse("outbox", Outbox.describeSql()));
    catalog.keySet().removeIf(title -> title.endsWith("a fenced effect")); // of its own sample
    catalog.putAll(
        CatalogText.parse(
            "delivery", LeaseStatements.describe(PlannedCalls.DELIVERIES, ShopJobs.storing(""))));
    catalog.putAll(
        CatalogText.parse(
            "job", LeaseStatements.describe(PlannedCalls.JOBS.table(), ShopJobs.storing(""))));
    assertThat(catalog)
        .hasSizeGreaterThan(40)
        .allSatisfy((t, sql) -> assertThat(sent).contains(sql));
  }

  private static Map<String, Long> bounds() {
    try (InputStream file = PlansAtScaleTest.class.getResourceAsStream("plan-bounds.txt")) {
      String text = new String(Objects.requireNonNull(file).readAllBytes(), UTF_8);
      return Arrays.stream(text.split("\n", -1))
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> line.strip().split(" +", 2))
          .collect(Collectors.toMap(line -> line[1], line -> Long.parseLong(line[0])));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
