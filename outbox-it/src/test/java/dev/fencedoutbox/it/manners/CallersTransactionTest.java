package dev.fencedoutbox.it.manners;

import static dev.fencedoutbox.it.shop.Tables.CUSTOMER_ORDER;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencedoutbox.it.support.ApiCall;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.outbox.Outbox;
import java.math.BigDecimal;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.RenderQuotedNames;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class CallersTransactionTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final class Rollback extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @BeforeEach
  void clear() {
    DB.clear();
  }

  static Stream<ApiCall> everyCall() {
    return Stream.concat(ApiCall.all().stream(), ApiCall.refused().stream());
  }

  // Case 13
  @ParameterizedTest
  @MethodSource("everyCall")
  void call_inATransactionThatRollsBack_leavesNothingAndChangesNoSetting(ApiCall call)
      throws Exception {
    Consumer<DSLContext> prepared = call.preparation().prepare(DB.dsl());
    List<String> before = ApiCall.rows(DB.dsl());
    try (Connection connection = DB.connect()) {
      connection.setAutoCommit(false);
      DSLContext tx = TestDatabase.on(connection);
      tx.execute("set search_path to shop");
      marker(tx);
      List<String> withMarker = ApiCall.rows(tx);
      Map<String, String> settings = settings(tx);
      long transaction = transaction(tx);

      prepared.accept(tx);

      assertThat(ApiCall.rows(tx).equals(withMarker)).isEqualTo(!call.writes());
      assertThat(settings(tx)).isEqualTo(settings);
      assertThat(transaction(tx)).isEqualTo(transaction);
      assertThat(connection.getAutoCommit()).isFalse();
      assertThat(connection.getTransactionIsolation())
          .isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
      assertThat(ApiCall.rows(DB.dsl())).isEqualTo(before);
      connection.rollback();
    }
    assertThat(ApiCall.rows(DB.dsl())).isEqualTo(before);
  }

  // Case 13
  @ParameterizedTest
  @MethodSource("everyCall")
  void call_inASavepointThatRollsBack_leavesTheRestOfTheTransaction(ApiCall call) {
    Consumer<DSLContext> prepared = call.preparation().prepare(DB.dsl());
    DB.dsl()
        .transaction(
            outer -> {
              marker(outer.dsl());
              List<String> withMarker = ApiCall.rows(outer.dsl());
              assertThatThrownBy(
                      () ->
                          outer
                              .dsl()
                              .transaction(
                                  inner -> {
                                    prepared.accept(inner.dsl());
                                    throw new Rollback();
                                  }))
                  .isInstanceOf(Rollback.class);
              assertThat(ApiCall.rows(outer.dsl())).isEqualTo(withMarker);
            });

    assertThat(ApiCall.rows(DB.dsl())).anyMatch(row -> row.contains("marker"));
  }

  // Case 13: and where all commits, the call is in it
  @ParameterizedTest
  @MethodSource("everyCall")
  void call_inATransactionThatCommits_isPartOfIt(ApiCall call) {
    Consumer<DSLContext> prepared = call.preparation().prepare(DB.dsl());
    List<String> before = ApiCall.rows(DB.dsl());
    List<String> inside =
        DB.dsl()
            .transactionResult(
                outer -> {
                  outer.dsl().transaction(inner -> prepared.accept(inner.dsl()));
                  assertThat(ApiCall.rows(DB.dsl())).isEqualTo(before);
                  return ApiCall.rows(outer.dsl());
                });

    assertThat(ApiCall.rows(DB.dsl())).isEqualTo(inside);
    assertThat(inside.equals(before)).isEqualTo(!call.writes());
  }

  @ParameterizedTest
  @MethodSource("everyCall")
  void call_onAHostsConfiguration_leavesItsSettingsAlone(ApiCall call) {
    Consumer<DSLContext> prepared = call.preparation().prepare(DB.dsl());
    Settings settings =
        new Settings()
            .withMaxRows(1)
            .withExecuteLogging(true)
            .withRenderQuotedNames(RenderQuotedNames.NEVER);
    String before = settings.toString();
    DSLContext host = DSL.using(DB.pool(), SQLDialect.POSTGRES, settings);

    host.transaction(tx -> prepared.accept(tx.dsl()));

    assertThat(host.settings()).hasToString(before);
  }

  @ParameterizedTest
  @EnumSource(
      value = SQLDialect.class,
      names = {"DEFAULT", "H2", "MYSQL", "YUGABYTEDB"})
  void call_onAnotherDialect_isRefusedBeforeSql(SQLDialect dialect) {
    DB.dsl()
        .transaction(
            tx -> {
              DSLContext other = tx.dsl().configuration().derive(dialect).dsl();
              assertThatThrownBy(() -> Outbox.create().enqueue(other, message("e")))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessage(
                      "This DSLContext renders for "
                          + dialect
                          + ", and the library speaks PostgreSQL only. Nothing was sent. Build it"
                          + " with DSL.using(..., SQLDialect.POSTGRES).");
              Outbox outbox = Outbox.create();
              assertThat(outbox.enqueue(tx.dsl(), message("e"))).isNotNull();
            });
  }

  // Case 13 with a pool whose connections come with auto-commit off
  @Test
  void enqueue_onAConnectionWithAutoCommitOff_isNotCommittedByTheLibrary() throws Exception {
    try (Connection connection = DB.connect()) {
      connection.setAutoCommit(false);
      assertThat(Outbox.create().enqueue(TestDatabase.on(connection), message("e"))).isNotNull();
    }
    assertThat(ApiCall.rows(DB.dsl())).isEmpty();
  }

  private static void marker(DSLContext tx) {
    tx.insertInto(CUSTOMER_ORDER, CUSTOMER_ORDER.ID, CUSTOMER_ORDER.CUSTOMER, CUSTOMER_ORDER.AMOUNT)
        .values("marker", "ann", BigDecimal.ONE)
        .execute();
  }

  private static Map<String, String> settings(DSLContext dsl) {
    return dsl.fetch("select name, setting from pg_settings where setting is not null")
        .intoMap(row -> row.get(0, String.class), row -> row.get(1, String.class));
  }

  private static long transaction(DSLContext dsl) {
    return dsl.fetchSingle("select pg_current_xact_id()::text::bigint").get(0, Long.class);
  }
}
