package dev.fencedoutbox.it.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencedoutbox.it.support.ChildJvm;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Together;
import dev.fencedoutbox.migration.OutboxMigrations;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MigrationTest {

  private static final List<String> TABLES =
      List.of(
          "delivery",
          "inbox",
          "job",
          "job_action",
          "message",
          "message_status",
          "operator_action",
          "outbox_schema_history",
          "receipt");

  /** How many migrations there are. */
  private static final int ALL = 3;

  /** What a host has done to its database before the library comes. */
  enum Host {
    MIGRATED_IN_PUBLIC {
      @Override
      FluentConfiguration flyway() {
        return Flyway.configure();
      }
    },
    BASELINES_ITS_OLD_TABLES {
      @Override
      FluentConfiguration flyway() {
        return Flyway.configure().baselineOnMigrate(true).baselineVersion("0");
      }
    },
    BASELINES_AT_ONE {
      @Override
      FluentConfiguration flyway() {
        return Flyway.configure().baselineOnMigrate(true);
      }
    },
    HISTORY_OF_THE_LIBRARYS_NAME {
      @Override
      FluentConfiguration flyway() {
        return Flyway.configure().table("outbox_schema_history");
      }
    },
    MIGRATED_IN_A_SCHEMA {
      @Override
      FluentConfiguration flyway() {
        return Flyway.configure().schemas("shop").defaultSchema("shop");
      }
    };

    abstract FluentConfiguration flyway();
  }

  // Case 40
  @ParameterizedTest
  @EnumSource
  void migrate_besideAHostsTablesAndHistory_createsTheTablesAndLeavesTheHostAlone(Host host) {
    String url = TestDatabase.createEmpty();
    DataSource dataSource = TestDatabase.dataSource(url);
    DSLContext dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
    if (host == Host.BASELINES_ITS_OLD_TABLES || host == Host.BASELINES_AT_ONE) {
      dsl.execute("create table public.legacy (id int)");
    }
    host.flyway().dataSource(dataSource).load().migrate();
    List<String> before = catalogue(dsl);
    String history = history(dsl, host);

    assertThat(OutboxMigrations.on(dataSource).migrate()).isEqualTo(ALL);

    assertThat(tables(dsl, "outbox")).isEqualTo(TABLES);
    assertThat(
            dsl.fetch(
                    "select version from outbox.outbox_schema_history where success and version is"
                        + " not null order by installed_rank")
                .into(String.class))
        .containsExactly("1", "2", "3");
    assertThat(catalogue(dsl)).isEqualTo(before);
    assertThat(history(dsl, host)).isEqualTo(history);
    assertThat(OutboxMigrations.on(dataSource).migrate()).isZero();
    assertThat(host.flyway().dataSource(dataSource).load().migrate().migrationsExecuted).isZero();
    host.flyway().dataSource(dataSource).load().validate();
  }

  // Case 40: the other way round
  @Test
  void migrate_beforeTheHost_doesNotStopTheHost() {
    DataSource dataSource = TestDatabase.dataSource(TestDatabase.createEmpty());
    assertThat(OutboxMigrations.on(dataSource).migrate()).isEqualTo(ALL);

    assertThat(Flyway.configure().dataSource(dataSource).load().migrate().migrationsExecuted)
        .isEqualTo(1);
  }

  private static List<String> catalogue(DSLContext dsl) {
    return dsl.fetch(
            "select table_schema || '.' || table_name || '.' || column_name"
                + " from information_schema.columns"
                + " where table_schema not in ('outbox', 'pg_catalog', 'information_schema')"
                + " order by 1")
        .into(String.class);
  }

  private static String history(DSLContext dsl, Host host) {
    String schema = host == Host.MIGRATED_IN_A_SCHEMA ? "shop" : "public";
    String table =
        host == Host.HISTORY_OF_THE_LIBRARYS_NAME
            ? "outbox_schema_history"
            : "flyway_schema_history";
    return dsl.fetch("select * from " + schema + "." + table + " order by 1").formatCSV();
  }

  private static List<String> tables(DSLContext dsl, String schema) {
    return dsl.fetch(
            "select table_name from information_schema.tables where table_schema = ? order by 1",
            schema)
        .into(String.class);
  }

  // Case 41
  @Test
  void defaultScan_ofAHost_doesNotSeeTheLibrarysScripts() {
    DataSource dataSource = TestDatabase.dataSource(TestDatabase.createEmpty());

    assertThat(Flyway.configure().dataSource(dataSource).load().info().all())
        .extracting(MigrationInfo::getScript)
        .containsExactly("V1__shop.sql");
  }

  // Case 41: and the library does not see the host's
  @Test
  void librarysScan_besideAHostsScripts_seesItsOwnAlone() {
    DataSource dataSource = TestDatabase.dataSource(TestDatabase.createEmpty());

    assertThat(OutboxMigrations.on(dataSource).configuration().load().info().all())
        .extracting(MigrationInfo::getScript)
        .containsExactly(
            "V1__message_delivery_receipt_inbox.sql", "V2__operator_action.sql", "V3__job.sql");
  }

  @Test
  void migrate_byManyThreadsAtOnce_runsEachMigrationOnce() {
    DataSource dataSource = TestDatabase.dataSource(TestDatabase.createEmpty());

    List<Integer> ran = Together.run(4, () -> OutboxMigrations.on(dataSource).migrate());

    assertThat(ran.stream().mapToInt(Integer::intValue).sum()).isEqualTo(ALL);
    assertThat(tables(DSL.using(dataSource, SQLDialect.POSTGRES), "outbox")).isEqualTo(TABLES);
  }

  /** A process that migrates when it is told. */
  public static final class Migrating {

    /** Migrates the database at {@code args[0]}. */
    public static void main(String[] args) throws Exception {
      System.out.println("ready");
      int go = System.in.read();
      System.out.println(
          "ran " + (go < 0 ? go : OutboxMigrations.on(TestDatabase.dataSource(args[0])).migrate()));
    }

    private Migrating() {}
  }

  @Test
  void migrate_byTwoProcessesAtOnce_runsEachMigrationOnce() {
    String url = TestDatabase.createEmpty();
    try (ChildJvm one = ChildJvm.start(Migrating.class, url);
        ChildJvm other = ChildJvm.start(Migrating.class, url)) {
      for (ChildJvm process : List.of(one, other)) {
        String unused = process.await("ready");
      }
      one.say("go");
      other.say("go");

      // Flyway takes its lock for each migration, so that the two may share them.
      assertThat(
              Integer.parseInt(one.await("ran ").strip())
                  + Integer.parseInt(other.await("ran ").strip()))
          .isEqualTo(ALL);
      assertThat(List.of(one.exitStatus(), other.exitStatus())).containsOnly(0);
    }
  }

  @Test
  void migrate_intoTwoSchemasOfOneDatabase_keepsThemApart() {
    DataSource dataSource = TestDatabase.dataSource(TestDatabase.createEmpty());
    DSLContext dsl = DSL.using(dataSource, SQLDialect.POSTGRES);

    assertThat(OutboxMigrations.on(dataSource).migrate()).isEqualTo(ALL);
    assertThat(OutboxMigrations.on(dataSource).intoSchema("mail").migrate()).isEqualTo(ALL);

    assertThat(tables(dsl, "mail")).isEqualTo(TABLES);
    dsl.execute("drop schema outbox cascade");
    assertThat(tables(dsl, "mail")).isEqualTo(TABLES);
    assertThat(OutboxMigrations.on(dataSource).intoSchema("mail").migrate()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "_", "mail_2", "user", "select"})
  void intoSchema_ofAGoodName_creates(String schema) {
    DataSource dataSource = TestDatabase.dataSource(TestDatabase.createEmpty());

    assertThat(OutboxMigrations.on(dataSource).intoSchema(schema).migrate()).isEqualTo(ALL);
    assertThat(tables(DSL.using(dataSource, SQLDialect.POSTGRES), schema)).isEqualTo(TABLES);
  }

  static Stream<String> wrongNames() {
    return Stream.of(
        "",
        " ",
        "Outbox",
        "OUTBOX",
        "a-b",
        "a b",
        "a.b",
        "1a",
        "pg_mail",
        "pg_",
        "\u00e9",
        "a\n",
        "a;drop schema public",
        "\"a\"",
        "$user",
        "a".repeat(64),
        "a\u0000");
  }

  @ParameterizedTest
  @MethodSource("wrongNames")
  void intoSchema_ofAWrongName_isRefused(String schema) {
    DataSource nowhere = TestDatabase.dataSource("jdbc:postgresql://localhost:1/none");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OutboxMigrations.on(nowhere).intoSchema(schema))
        .withMessage(
            "\""
                + schema
                + "\" cannot be the library's schema: take a lower-case name of letters, digits and"
                + " _ of at most 63 characters that does not begin with a digit or pg_.");
  }

  @Test
  void migrate_intoASchemaThatHoldsSomethingElse_isRefusedAndChangesNothing() {
    DataSource dataSource = TestDatabase.dataSource(TestDatabase.createEmpty());
    DSLContext dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
    dsl.execute("create table public.legacy (id int)");

    assertThatThrownBy(() -> OutboxMigrations.on(dataSource).intoSchema("public").migrate())
        .isInstanceOf(FlywayException.class)
        .hasMessageContaining("non-empty schema(s) \"public\"");
    assertThat(tables(dsl, "public")).containsExactly("legacy");
  }
}
