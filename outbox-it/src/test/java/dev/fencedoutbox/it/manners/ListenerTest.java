package dev.fencedoutbox.it.manners;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.ApiCall;
import dev.fencedoutbox.it.support.Statements;
import dev.fencedoutbox.it.support.TestDatabase;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ListenerTest {
  static final TestDatabase DB = TestDatabase.create();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  static Stream<ApiCall> everyCall() {
    return Stream.concat(ApiCall.all().stream(), ApiCall.refused().stream());
  }

  // Case 43
  @ParameterizedTest
  @MethodSource("everyCall")
  void listener_ofTheHost_seesEachStatementOnce(ApiCall call) {
    Consumer<DSLContext> prepared = call.preparation().prepare(DB.dsl());
    Statements statements = new Statements();

    DB.dsl().transaction(tx -> prepared.accept(statements.listeningOn(tx.dsl())));

    int times = call.statements();
    assertThat(statements.events())
        .isEqualTo(
            Map.of(
                "start", times, "render", times, "prepare", times, "execute", times, "end", times));
    assertThat(statements.executed()).doesNotHaveDuplicates();
  }
}
