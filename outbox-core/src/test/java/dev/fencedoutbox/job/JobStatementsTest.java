package dev.fencedoutbox.job;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.fencedoutbox.house.ApprovedSql;
import dev.fencedoutbox.operate.Operator;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.JSONB;
import org.jooq.Query;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each statement as it was reviewed. */
class JobStatementsTest {

  private static final JobKind<JSONB, JSONB, JSONB> RENDER = JobKind.json("render");
  private static final JobSql SQL = new JobSql(RENDER.name());
  private static final NewJob ONE = RENDER.job(JSONB.valueOf("{}")).key("a");
  private static final Operator ANN = new Operator("ann", "ticket 17");

  static Stream<Arguments> statements() {
    return Stream.of(
        arguments("job-submit-one", SQL.submit(List.of(ONE))),
        arguments("job-submit-many", SQL.submit(List.of(ONE, ONE.key("b")))),
        arguments("job-ids", SQL.ids(List.of("a", "b"))),
        arguments("job-find", JobSql.read(SQL.of("a"))),
        arguments("job-over", JobSql.over(List.of("render"), List.of("a", "b"))),
        arguments("job-cancel", JobSql.cancel(SQL.of(17L), "not wanted")),
        arguments("job-status", JobSql.status(SQL.of("a"))),
        arguments("job-dead", SQL.dead(100)),
        arguments("job-redrive-one", SQL.redriveOne("a", ANN)),
        arguments("job-redrive-all", SQL.redriveAll(100, ANN)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void statements(String name, Query statement) {
    ApprovedSql.assertApproved(name, statement);
  }
}
