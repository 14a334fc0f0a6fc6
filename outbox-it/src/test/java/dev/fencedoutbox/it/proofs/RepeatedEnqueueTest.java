package dev.fencedoutbox.it.proofs;

import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.Statements;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.it.support.Together;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.outbox.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.Converter;
import org.jooq.DSLContext;
import org.jooq.ExecuteListener;
import org.jooq.ExecuteType;
import org.jooq.JSONB;
import org.jooq.Param;
import org.jooq.SQLDialect;
import org.jooq.Select;
import org.jooq.VisitListener;
import org.jooq.conf.RenderKeywordCase;
import org.jooq.conf.RenderQuotedNames;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultVisitListenerProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Enqueues by one outbox, whose text is rendered once: nothing of one is left in the next. */
class RepeatedEnqueueTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final Topic<byte[]> RAW =
      Topic.bytes(
          "raw",
          "application/octet-stream",
          Converter.of(byte[].class, byte[].class, bytes -> bytes, bytes -> bytes));

  private final Outbox outbox = Outbox.create();

  @BeforeEach
  void clear() {
    DB.clear();
  }

  @Test
  void enqueue_ofAnotherMessageEachTime_storesThatMessage() {
    for (int round = 0; round < 2; round++) {
      enqueue(
          DB.dsl(),
          PLAIN
              .message(JSONB.valueOf("{\"n\": " + round + "}"))
              .eventId("full " + round)
              .header("a", "1")
              .orderingKey("k" + round)
              .channel("c" + round),
          PLAIN.message(JSONB.valueOf("[]")).eventId("keyed, no header " + round).orderingKey("l"),
          PLAIN.message(JSONB.valueOf("{}")).eventId("none " + round),
          RAW.message(new byte[] {(byte) round, 0}).eventId("bytes " + round).header("b", "2"),
          RAW.message(new byte[0]).eventId("late " + round).after(Duration.ofHours(1 + round)),
          message("two channels " + round).channels(Channel.of("x"), Channel.of("y" + round)));
    }

    assertThat(stored())
        .containsExactly(
            "full 0 plain k0 {\"a\": \"1\"} {\"n\": 0} - c0 k0 0",
            "keyed, no header 0 plain l - [] - default l 0",
            "none 0 plain - - {} - default - 0",
            "bytes 0 raw - {\"b\": \"2\"} - \\x0000 default - 0",
            "late 0 raw - - - \\x default - 1",
            "two channels 0 plain - - {\"n\": 1} - x - 0",
            "two channels 0 plain - - {\"n\": 1} - y0 - 0",
            "full 1 plain k1 {\"a\": \"1\"} {\"n\": 1} - c1 k1 0",
            "keyed, no header 1 plain l - [] - default l 0",
            "none 1 plain - - {} - default - 0",
            "bytes 1 raw - {\"b\": \"2\"} - \\x0100 default - 0",
            "late 1 raw - - - \\x default - 2",
            "two channels 1 plain - - {\"n\": 1} - x - 0",
            "two channels 1 plain - - {\"n\": 1} - y1 - 0");
  }

  /** What a host's execute listener is told of an enqueue does not depend on how it is made. */
  @Test
  void enqueue_ofAKeptText_isToldLikeOneThatIsRendered() {
    Statements kept = new Statements();
    Statements rendered = new Statements();
    for (int i = 0; i < 3; i++) {
      Message said = message("e").orderingKey("k").header("a", "b");
      enqueue(kept.listeningOn(DB.dsl()), said);
      DB.clear();
      enqueue(rendered.listeningOn(visited(DB.dsl(), new AtomicInteger())), said);
      DB.clear();
    }

    assertThat(kept.executed()).isEqualTo(rendered.executed()).hasSize(3);
    assertThat(kept.binds()).isEqualTo(rendered.binds()).isNotEmpty();
    assertThat(kept.events()).isEqualTo(rendered.events());
  }

  @Test
  void enqueue_isAReadingQueryToListeners_andIsSentAsText() {
    List<ExecuteType> types = new ArrayList<>();
    List<Boolean> built = new ArrayList<>();
    DSLContext host =
        DB.dsl()
            .configuration()
            .derive(
                ExecuteListener.onExecuteStart(
                    c -> {
                      types.add(c.type());
                      built.add(c.query() instanceof Select);
                    }))
            .dsl();

    enqueue(host, message("a"), message("b"));
    enqueue(visited(host, new AtomicInteger()), message("c"));

    assertThat(types).containsOnly(ExecuteType.READ);
    assertThat(built).containsExactly(false, false, true);
  }

  @Test
  void visitListener_ofTheHost_seesEachEnqueue() {
    AtomicInteger values = new AtomicInteger();
    DSLContext host = visited(DB.dsl(), values);
    enqueue(DB.dsl(), message("before"));
    List<Integer> seen = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      values.set(0);
      enqueue(host, message("e" + i));
      seen.add(values.get());
    }

    assertThat(seen).allMatch(count -> count > 0).hasSize(3).containsOnly(seen.get(0));
  }

  /** Values are visited when they are bound, too. */
  private static DSLContext visited(DSLContext host, AtomicInteger values) {
    return host.configuration()
        .derive(
            DefaultVisitListenerProvider.providers(
                VisitListener.onVisitStart(
                    c -> {
                      if (c.queryPart() instanceof Param) {
                        values.incrementAndGet();
                      }
                    })))
        .dsl();
  }

  @Test
  void enqueue_byManyThreadsUnderManySettings_storesEachMessageAsItIs() {
    List<DSLContext> hosts =
        List.of(
            DB.dsl(),
            host(new Settings().withRenderKeywordCase(RenderKeywordCase.UPPER)),
            host(new Settings().withRenderQuotedNames(RenderQuotedNames.NEVER)));
    List<String> expected = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger thread = new AtomicInteger();
    List<Boolean> all =
        Together.run(
            4,
            () -> {
              int number = thread.getAndIncrement();
              for (int i = 0; i < 60; i++) {
                String id = number + "-" + i;
                Message said =
                    PLAIN.message(JSONB.valueOf("\"" + id + "\"")).eventId(id).channel("c" + id);
                boolean keyed = i % 2 == 0;
                enqueue(hosts.get(i % hosts.size()), keyed ? said.orderingKey("k" + id) : said);
                String key = keyed ? "k" + id : "-";
                expected.add("%s plain %s - \"%s\" - c%s %s 0".formatted(id, key, id, id, key));
              }
              return true;
            });

    assertThat(all).containsOnly(true);
    assertThat(stored()).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static DSLContext host(Settings settings) {
    return DSL.using(DB.pool(), SQLDialect.POSTGRES, settings);
  }

  private void enqueue(DSLContext host, Message... messages) {
    for (Message message : messages) {
      EnqueueOutcome outcome = host.transactionResult(tx -> outbox.enqueue(tx.dsl(), message));
      assertThat(outcome).isEqualTo(EnqueueOutcome.CREATED);
    }
  }

  private static List<String> stored() {
    return DB.dsl()
        .fetch(
            """
            select concat_ws(' ', m.event_id, m.topic, coalesce(m.ordering_key, '-'),
              coalesce(m.headers::text, '-'), coalesce(m.payload_json::text, '-'),
              coalesce(m.payload_bytes::text, '-'), d.channel, coalesce(d.ordering_key, '-'),
              extract(epoch from d.next_attempt_at - m.created_at)::int / 3600)
            from outbox.message m join outbox.delivery d on d.message_id = m.id order by d.id
            """)
        .map(row -> row.get(0, String.class));
  }
}
