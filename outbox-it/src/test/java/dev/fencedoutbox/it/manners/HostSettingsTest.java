package dev.fencedoutbox.it.manners;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencedoutbox.it.support.ApiCall;
import dev.fencedoutbox.it.support.Proofs;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.migration.OutboxMigrations;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.BackslashEscaping;
import org.jooq.conf.ExecuteWithoutWhere;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.ParamCastMode;
import org.jooq.conf.ParamType;
import org.jooq.conf.RenderDefaultNullability;
import org.jooq.conf.RenderKeywordCase;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.RenderNameCase;
import org.jooq.conf.RenderOptionalKeyword;
import org.jooq.conf.RenderQuotedNames;
import org.jooq.conf.RenderTable;
import org.jooq.conf.Settings;
import org.jooq.conf.StatementType;
import org.jooq.conf.ThrowExceptions;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag(Proofs.SHORTENED)
class HostSettingsTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final String SEARCH_PATH = "&currentSchema=outbox,shop,public";

  private static final String WITHOUT_TABLES = TestDatabase.createEmpty();

  private static List<String> expected = List.of();
  private static List<String> expectedWithoutShopJobs = List.of();

  /** In a host without any settings; looked at by eye once, so that it is not empty or wrong. */
  @BeforeAll
  static void walkInAPlainHost() {
    expected = new Walk(DB.dsl(), DB.dsl(), "outbox").walk();
    assertThat(expected)
        .contains(
            "finish: APPLIED",
            "finish again: FENCED",
            "apply again: DUPLICATE",
            "retryAll: [ACCEPTED, ACCEPTED, SETTLED]",
            "completeAll: [SETTLED, GONE, ACCEPTED, ACCEPTED]",
            "complete again: GONE",
            "completeAll: [SETTLED, SETTLED, ACCEPTED, ACCEPTED]",
            "complete again: SETTLED",
            "complete in order: ACCEPTED",
            "walk is at its end: KeyWalk[after=, limit=10, runLength=2]")
        .anySatisfy(
            note ->
                assertThat(note)
                    .startsWith("claimInOrder: ")
                    .contains("x'1 plain in'order", "x'3 plain in'order")
                    .doesNotContain("x'5", "y2"))
        .filteredOn(note -> note.startsWith("claim of 10"))
        .hasSize(2)
        .allSatisfy(note -> assertThat(note.split(" epoch 1 ", -1)).hasSize(11));
    assertThat(expected)
        .contains(
            "submitAll again: [new CREATED, j1 DUPLICATE]",
            "finish of a job with intent: APPLIED",
            "finishAll of jobs: [ACCEPTED, SETTLED, ACCEPTED]",
            "renew of a cancelled: [Refused]",
            "dead jobs: [j6, new]",
            "redriveAll of jobs: 2");
    clearAll();
    expectedWithoutShopJobs = new Walk(DB.dsl(), DB.dsl(), "outbox").withoutShopJobs().walk();
  }

  @BeforeEach
  void empty() {
    clearAll();
  }

  private static void clearAll() {
    DB.clear();
    for (String table :
        List.of(
            "outbox.message", "outbox.delivery", "outbox.job", "outbox.job_action", "shop.job")) {
      DB.dsl().execute("select setval(pg_get_serial_sequence(?, 'id'), 1, false)", table);
    }
  }

  static List<Arguments> settings() {
    return Proofs.everyNth(
        3,
        List.of(
            Arguments.of("maxRows=1", new Settings().withMaxRows(1)),
            Arguments.of("fetchSize=1", new Settings().withFetchSize(1)),
            Arguments.of("queryTimeout", new Settings().withQueryTimeout(30)),
            Arguments.of(
                "quoted never", new Settings().withRenderQuotedNames(RenderQuotedNames.NEVER)),
            Arguments.of(
                "unquoted upper case",
                new Settings()
                    .withRenderQuotedNames(RenderQuotedNames.NEVER)
                    .withRenderNameCase(RenderNameCase.UPPER)),
            Arguments.of(
                "quoted upper case", new Settings().withRenderNameCase(RenderNameCase.UPPER)),
            Arguments.of(
                "default unquoted upper case",
                new Settings()
                    .withRenderQuotedNames(RenderQuotedNames.EXPLICIT_DEFAULT_UNQUOTED)
                    .withRenderNameCase(RenderNameCase.UPPER)),
            Arguments.of(
                "quoted upper case unless quoted",
                new Settings().withRenderNameCase(RenderNameCase.UPPER_IF_UNQUOTED)),
            Arguments.of(
                "keywords upper", new Settings().withRenderKeywordCase(RenderKeywordCase.UPPER)),
            Arguments.of("formatted", new Settings().withRenderFormatted(true)),
            Arguments.of(
                "THROW_NONE", new Settings().withThrowExceptions(ThrowExceptions.THROW_NONE)),
            Arguments.of(
                "static statements",
                new Settings().withStatementType(StatementType.STATIC_STATEMENT)),
            Arguments.of("inlined", new Settings().withParamType(ParamType.INLINED)),
            Arguments.of("named params", new Settings().withParamType(ParamType.NAMED)),
            Arguments.of("never cast", new Settings().withParamCastMode(ParamCastMode.NEVER)),
            Arguments.of(
                "where demanded",
                new Settings()
                    .withExecuteDeleteWithoutWhere(ExecuteWithoutWhere.THROW)
                    .withExecuteUpdateWithoutWhere(ExecuteWithoutWhere.THROW)),
            Arguments.of("table never", new Settings().withRenderTable(RenderTable.NEVER)),
            Arguments.of(
                "table when ambiguous",
                new Settings().withRenderTable(RenderTable.WHEN_AMBIGUOUS_COLUMNS)),
            Arguments.of(
                "table when many",
                new Settings().withRenderTable(RenderTable.WHEN_MULTIPLE_TABLES)),
            Arguments.of("bindOffsetDateTimeType", new Settings().withBindOffsetDateTimeType(true)),
            Arguments.of("inListPadding", new Settings().withInListPadding(true)),
            Arguments.of(
                "backslash escaping off",
                new Settings()
                    .withStatementType(StatementType.STATIC_STATEMENT)
                    .withBackslashEscaping(BackslashEscaping.OFF)),
            Arguments.of("no catalog", new Settings().withRenderCatalog(false)),
            Arguments.of(
                "keyword as",
                new Settings()
                    .withRenderOptionalAsKeywordForFieldAliases(RenderOptionalKeyword.OFF)
                    .withRenderOptionalAsKeywordForTableAliases(RenderOptionalKeyword.OFF)
                    .withRenderOptionalInnerKeyword(RenderOptionalKeyword.ON)),
            Arguments.of(
                "nullability",
                new Settings()
                    .withRenderDefaultNullability(RenderDefaultNullability.EXPLICIT_NULL)),
            Arguments.of(
                "records",
                new Settings()
                    .withExecuteWithOptimisticLocking(true)
                    .withUpdatablePrimaryKeys(true)
                    .withReturnAllOnUpdatableRecord(true)
                    .withReturnIdentityOnUpdatableRecord(false)
                    .withAttachRecords(false)
                    .withUpdateRecordVersion(true)),
            Arguments.of("no logging", new Settings().withExecuteLogging(false)),
            Arguments.of(
                "no mapping",
                new Settings()
                    .withMapConstructorParameterNames(false)
                    .withCacheRecordMappers(false))));
  }

  // Case 20, DESIGN 6.2
  @ParameterizedTest(name = "{0}")
  @MethodSource("settings")
  void walk_underTheHostsSettings_hasTheSameResults(String name, Settings settings) {
    assertThat(name).isNotBlank();
    DSLContext host = DSL.using(DB.pool(), SQLDialect.POSTGRES, settings);

    assertThat(new Walk(host, DB.dsl(), "outbox").walk()).isEqualTo(expected);
  }

  // Case 20
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void walk_withoutRenderedSchema_hasTheSameResults(boolean unquoted) throws SQLException {
    Settings settings = new Settings().withRenderSchema(false).withMaxRows(1);
    if (unquoted) {
      settings.withRenderQuotedNames(RenderQuotedNames.NEVER);
    }

    assertThat(walkWithoutShopJobsOn(DB, SEARCH_PATH, settings)).isEqualTo(expectedWithoutShopJobs);
  }

  /** On one connection, as a pool hands it out again and again: what it has prepared, it reuses. */
  private static List<String> walkOn(TestDatabase database, String urlParameters, Settings settings)
      throws SQLException {
    try (Connection connection = DriverManager.getConnection(database.url() + urlParameters)) {
      DSLContext host = DSL.using(connection, SQLDialect.POSTGRES, settings);
      return new Walk(host, database.dsl(), "outbox").walk();
    }
  }

  /**
   * The shop's table has the name of the library's, so without a schema nobody can tell them apart.
   */
  private static List<String> walkWithoutShopJobsOn(
      TestDatabase database, String urlParameters, Settings settings) throws SQLException {
    try (Connection connection = DriverManager.getConnection(database.url() + urlParameters)) {
      DSLContext host = DSL.using(connection, SQLDialect.POSTGRES, settings);
      return new Walk(host, database.dsl(), "outbox").withoutShopJobs().walk();
    }
  }

  static List<ApiCall> everyCall() {
    return ApiCall.all();
  }

  // Case 20: under THROW_NONE jOOQ gives null for a failed query and -1 for a failed update
  @ParameterizedTest
  @MethodSource("everyCall")
  void call_thatFailsUnderThrowNone_throws(ApiCall call) {
    Consumer<DSLContext> prepared = call.preparation().prepare(DB.dsl());
    DSLContext host =
        DSL.using(
            TestDatabase.dataSource(WITHOUT_TABLES),
            SQLDialect.POSTGRES,
            new Settings().withThrowExceptions(ThrowExceptions.THROW_NONE));

    assertThatThrownBy(() -> host.transaction(tx -> prepared.accept(tx.dsl())))
        .isInstanceOfSatisfying(
            DataAccessException.class, e -> assertThat(e.sqlState()).isEqualTo("42P01"));
  }

  // Case 20: the names of the statements' own parts must not hide, or be hidden by, a host's tables
  @Test
  void walk_besideHostTablesOfLikelyNames_hasTheSameResults() throws SQLException {
    TestDatabase other = TestDatabase.create();
    other.dsl().execute("create schema likely");
    for (String table :
        List.of(
            "candidate",
            "candidates",
            "accepted",
            "claimed",
            "claimable",
            "created",
            "queued",
            "held",
            "said",
            "addressed",
            "hashes",
            "locked",
            "written",
            "done",
            "effects",
            "claimable_rows",
            "accepted_rows",
            "record_rows",
            "effect_rows",
            "created_messages",
            "queued_deliveries",
            "locked_keys",
            "key_heads",
            "walked_heads",
            "claimable_runs",
            "claimed_rows",
            "held_leases",
            "said_messages",
            "addressed_deliveries",
            "submitted_jobs",
            "chosen_rows",
            "redriven_rows")) {
      other
          .dsl()
          .execute("create table likely." + table + " (id bigint, event_id text, epoch text)");
    }

    Settings settings = new Settings().withRenderSchema(false);

    assertThat(walkWithoutShopJobsOn(other, "&currentSchema=likely,outbox,shop", settings))
        .isEqualTo(expectedWithoutShopJobs);
  }

  // Case 20
  @ParameterizedTest
  @ValueSource(strings = {"mail", "_7x"})
  void walk_inAMappedSchema_hasTheSameResults(String schema) {
    TestDatabase other = TestDatabase.create();
    OutboxMigrations.on(other.pool()).intoSchema(schema).migrate();
    other.dsl().execute("drop schema outbox cascade");
    Settings settings =
        new Settings()
            .withRenderMapping(
                new RenderMapping()
                    .withSchemata(new MappedSchema().withInput("outbox").withOutput(schema)));
    DSLContext host = DSL.using(other.pool(), SQLDialect.POSTGRES, settings);

    assertThat(new Walk(host, other.dsl(), schema).walk()).isEqualTo(expected);
  }

  /** What a host's pool may set on each connection. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "&preferQueryMode=simple",
        "&preferQueryMode=extendedForPrepared",
        "&prepareThreshold=0",
        "&prepareThreshold=1&options=-c%20plan_cache_mode=force_generic_plan",
        "&prepareThreshold=-1",
        "&binaryTransfer=false",
        "&stringtype=unspecified",
        "&autosave=always",
        "&reWriteBatchedInserts=true",
        "&options=-c%20IntervalStyle=sql_standard",
        "&options=-c%20IntervalStyle=iso_8601",
        "&options=-c%20DateStyle=SQL,DMY",
        "&options=-c%20bytea_output=escape",
        "&options=-c%20search_path=pg_catalog",
        "&options=-c%20quote_all_identifiers=on",
        "&options=-c%20default_transaction_isolation=serializable",
        "&options=-c%20statement_timeout=30000",
        "&options=-c%20array_nulls=on",
      })
  void walk_onAHostsKindOfConnection_hasTheSameResults(String parameters) throws SQLException {
    assertThat(walkOn(DB, parameters, new Settings())).isEqualTo(expected);
  }

  /** The driver sends the zone of its JVM when it connects, whatever the URL says. */
  @ParameterizedTest
  @ValueSource(strings = {"Pacific/Kiritimati", "Europe/Berlin", "America/St_Johns"})
  void walk_inAnotherTimeZone_hasTheSameResults(String zone) throws Exception {
    try (Connection connection = DB.connect()) {
      DSLContext host = TestDatabase.on(connection);
      host.execute("set time zone '" + zone + "'");

      assertThat(new Walk(host, DB.dsl(), "outbox").walk()).isEqualTo(expected);

      assertThat(host.fetchValue("show time zone")).isEqualTo(zone);
    }
  }

  // Case 38
  @ParameterizedTest
  @ValueSource(longs = {1L << 31, 1L << 33, Long.MAX_VALUE / 2})
  void walk_withIdsAndEpochsAboveAnInt_hasTheSameResults(long start) {
    assertThat(new Walk(DB.dsl(), DB.dsl(), "outbox").startingAt(start, start << 3 >>> 3).walk())
        .isEqualTo(expected);
  }
}
