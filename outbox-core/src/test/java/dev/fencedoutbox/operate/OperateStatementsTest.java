package dev.fencedoutbox.operate;

import static org.jooq.impl.DSL.noCondition;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.fencedoutbox.house.ApprovedSql;
import dev.fencedoutbox.outbox.Channel;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.Query;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each statement as it was reviewed. */
class OperateStatementsTest {

  private static final DeadLetterSql DEAD = new DeadLetterSql(Channel.DEFAULT);
  private static final ReplaySql REPLAY = new ReplaySql(Channel.DEFAULT);
  private static final RetentionSql RETENTION = new RetentionSql(Duration.ofDays(30));
  private static final Operator ANN = new Operator("ann", "ticket 17");
  private static final Duration SPREAD = Duration.ofMinutes(10);
  private static final List<Keyed> ROWS = List.of(new Keyed(1, "k"));
  private static final OffsetDateTime FROM = OffsetDateTime.parse("2026-01-01T00:00:00Z");

  static Stream<Arguments> statements() {
    return Stream.of(
        arguments("dead-list", DEAD.list(DeadLetterPage.oldestFirst(100))),
        arguments("dead-redrive", DEAD.redrive(Selection.all(), SPREAD, ANN)),
        arguments("dead-skipped", DEAD.skipped(Selection.topic("t"))),
        arguments("dead-redrive-at-tail", DEAD.redriveAtTail(ROWS, Selection.all(), SPREAD, ANN)),
        arguments("dead-discard", DEAD.discard(Selection.delivery(17), ANN)),
        arguments("dead-skip", DEAD.skip(Selection.delivery(17), ANN)),
        arguments("replay-standing", REPLAY.standing("e")),
        arguments("replay-sent", REPLAY.sent(SentSelection.topic("t", FROM, FROM.plusDays(1)))),
        arguments("replay", REPLAY.replay(ROWS, noCondition(), SPREAD, ANN)),
        arguments("purge-messages", RETENTION.messages(IdWalk.of(1_000))),
        arguments("purge-inbox", RETENTION.inbox(InboxWalk.of(1_000))),
        arguments("purge-operator-actions", RETENTION.operatorActions(IdWalk.of(1_000))),
        arguments("signals", new SignalsSql(Channel.DEFAULT, 10_000).query()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void statements(String name, Query statement) {
    ApprovedSql.assertApproved(name, statement);
  }
}
