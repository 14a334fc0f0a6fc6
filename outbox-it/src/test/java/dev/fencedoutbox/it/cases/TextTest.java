package dev.fencedoutbox.it.cases;

import static dev.fencedoutbox.it.shop.Tables.JOB;
import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.it.support.Fixtures.only;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fencedoutbox.inbox.Inbox;
import dev.fencedoutbox.inbox.InboxOutcome;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.Leased;
import dev.fencedoutbox.it.support.Statements;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.Retry;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.outbox.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.Converter;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

// Case 19
class TextTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final String ASTRAL = "\uD83D\uDE80";

  /** Texts that a sloppy quoting, encoding or array literal would change. */
  private static final List<String> ODD =
      List.of(
          "a",
          "NULL",
          "null",
          " ",
          " leading and trailing ",
          "tab\tnewline\nreturn\r",
          "{}",
          "{a,b}",
          "a,b",
          "\"quoted\"",
          "'single'",
          "''",
          "back\\slash",
          "\\",
          "\\\\",
          "\\u0041",
          "\\N",
          "$1 ? ?? :name {0} %s",
          "--; drop table x; /*",
          "\u0001\u001f\u007f\u0080",
          "\u2028\u2029\ufeff\ufffe\uffff",
          "e\u0301 \u00e9 \u00df \u0130",
          ASTRAL,
          "a".repeat(255),
          ASTRAL.repeat(255),
          "\\".repeat(255),
          "\"".repeat(255));

  private static final List<String> UNSTORABLE =
      List.of(
          "\u0000",
          "a\u0000b",
          "end\u0000",
          "\uD800",
          "\uDC00",
          "a\uD83D",
          "\uDE80\uD83D",
          "\uD83D\uD83D\uDE80");

  private static final List<String> TOO_LONG = List.of("", "a".repeat(256), ASTRAL.repeat(256));

  @BeforeEach
  void clear() {
    DB.clear();
  }

  /** Each place where a name goes. */
  enum Name {
    EVENT_ID(value -> message(value)),
    TOPIC(value -> json(value).message(JSONB.valueOf("1"))),
    CONTENT_TYPE(value -> Topic.bytes("t", value, BYTES).message(new byte[0])),
    ORDERING_KEY(value -> message("e").orderingKey(value)),
    CHANNEL(value -> message("e").channel(value)),
    HEADER_NAME(value -> message("e").header(value, "v")),
    OWNER(
        value -> {
          Leases unused = Leases.ownedBy(value);
          return message("e");
        }),
    CONSUMER(
        value -> {
          Inbox unused = Inbox.of(value);
          return message("e");
        }),
    INBOX_EVENT_ID(
        value -> {
          var unused = Inbox.of("billing").statement(value);
          return message("e");
        });

    @SuppressWarnings("ImmutableEnumChecker") // a lambda without state
    final Function<String, Message> made;

    Name(Function<String, Message> made) {
      this.made = made;
    }
  }

  private static final Converter<byte[], byte[]> BYTES =
      Converter.of(byte[].class, byte[].class, bytes -> bytes, bytes -> bytes);

  private static Topic<JSONB> json(String name) {
    return Topic.json(
        name, Converter.of(JSONB.class, JSONB.class, stored -> stored, stored -> stored));
  }

  @ParameterizedTest
  @EnumSource
  void name_thatCannotBeStored_isRefusedBeforeSqlAndTheTransactionGoesOn(Name place) {
    List<String> bad = Stream.concat(UNSTORABLE.stream(), TOO_LONG.stream()).toList();

    for (String value : bad) {
      refusedWithinATransaction(tx -> Outbox.create().enqueue(tx, place.made.apply(value)));
    }
  }

  /** Nothing is sent for it, and what else the transaction does is committed. */
  private static void refusedWithinATransaction(Function<DSLContext, Object> call) {
    int before = DB.dsl().fetchCount(JOB);
    DB.dsl()
        .transaction(
            tx -> {
              Statements statements = new Statements();
              assertThatIllegalArgumentException()
                  .isThrownBy(() -> call.apply(statements.listeningOn(tx.dsl())))
                  .withMessageContaining("Nothing was sent.");
              assertThat(statements.executed()).isEmpty();
              long unused = Fixtures.job(tx.dsl(), "the transaction is usable");
            });
    assertThat(DB.dsl().fetchCount(JOB)).isEqualTo(before + 1);
  }

  @Test
  void headerValue_thatCannotBeStored_isRefused() {
    for (String value : UNSTORABLE) {
      refusedWithinATransaction(
          tx -> Outbox.create().enqueue(tx, message("e").header("name", value)));
    }
  }

  /** One at a time takes plain binds, many take arrays: both must keep each text to the letter. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void names_thatAreOdd_areStoredToTheLetter(boolean batched) {
    List<Message> messages = new ArrayList<>();
    for (String odd : ODD) {
      messages.add(
          json(odd)
              .message(JSONB.valueOf("1"))
              .eventId(odd)
              .orderingKey(odd)
              .channel(odd)
              .header(odd, odd)
              .header("empty", ""));
    }
    if (batched) {
      Fixtures.enqueue(DB.dsl(), messages.toArray(Message[]::new));
    } else {
      messages.forEach(message -> Fixtures.enqueue(DB.dsl(), message));
    }

    assertThat(texts("select event_id from outbox.message order by id")).isEqualTo(ODD);
    assertThat(texts("select topic from outbox.message order by id")).isEqualTo(ODD);
    assertThat(texts("select ordering_key from outbox.message order by id")).isEqualTo(ODD);
    assertThat(texts("select channel from outbox.delivery order by id")).isEqualTo(ODD);
    assertThat(texts("select ordering_key from outbox.delivery order by id")).isEqualTo(ODD);
    assertThat(
            texts(
                "select headers ->> event_id from outbox.message"
                    + " where headers ->> 'empty' = '' order by id"))
        .isEqualTo(ODD);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void delivery_ofOddTexts_handsThemOutToTheLetter(boolean batched) {
    List<Message> messages =
        ODD.stream()
            .map(
                odd ->
                    Topic.bytes(odd, odd, BYTES)
                        .message(odd.getBytes(UTF_8))
                        .eventId(odd)
                        .header(odd, odd))
            .toList();
    if (batched) {
      Fixtures.enqueue(DB.dsl(), messages.toArray(Message[]::new));
    } else {
      messages.forEach(message -> Fixtures.enqueue(DB.dsl(), message));
    }

    List<Delivery> deliveries =
        Leases.ownedBy(ASTRAL.repeat(255))
            .claim(DB.dsl(), Outbox.create().deliveries(Channel.DEFAULT), LONG, 100)
            .claimed()
            .stream()
            .map(Claimed::row)
            .toList();

    assertThat(deliveries).extracting(Delivery::eventId).isEqualTo(ODD);
    assertThat(deliveries).extracting(Delivery::topic).isEqualTo(ODD);
    assertThat(deliveries).extracting(Delivery::contentType).isEqualTo(ODD);
    assertThat(deliveries)
        .extracting(Delivery::headers)
        .isEqualTo(ODD.stream().map(odd -> Map.of(odd, odd)).toList());
    assertThat(deliveries)
        .allSatisfy(
            delivery -> assertThat(delivery.bytes()).asString(UTF_8).isEqualTo(delivery.eventId()));
  }

  @Test
  void bytes_ofEveryValue_areStoredToTheLetter() {
    byte[] every = new byte[3 * 256];
    IntStream.range(0, every.length).forEach(i -> every[i] = (byte) i);
    List<byte[]> payloads =
        List.of(new byte[] {0}, every, new byte[] {'\\', '"', ','}, new byte[1 << 20]);
    Topic<byte[]> topic = Topic.bytes("bytes", "application/octet-stream", BYTES);
    Fixtures.enqueue(DB.dsl(), topic.message(every).eventId("alone"));
    Fixtures.enqueue(
        DB.dsl(),
        IntStream.range(0, payloads.size())
            .mapToObj(i -> topic.message(payloads.get(i)).eventId("many " + i))
            .toArray(Message[]::new));

    List<byte[]> stored =
        DB.dsl()
            .fetch("select payload_bytes from outbox.message order by event_id")
            .map(row -> row.get(0, byte[].class));

    assertThat(stored.get(0)).isEqualTo(every);
    for (int i = 0; i < payloads.size(); i++) {
      assertThat(stored.get(i + 1)).isEqualTo(payloads.get(i));
    }
  }

  @Test
  void inboxEventId_thatIsOdd_isStoredToTheLetter() {
    for (String odd : ODD) {
      InboxOutcome outcome =
          DB.dsl().transactionResult(tx -> Inbox.of(odd).applyOnce(tx.dsl(), odd, same -> {}));
      assertThat(outcome).isEqualTo(InboxOutcome.APPLIED);
    }
    assertThat(texts("select event_id from outbox.inbox where event_id = consumer"))
        .containsExactlyInAnyOrderElementsOf(ODD);
  }

  @ParameterizedTest
  @EnumSource
  void errorText_ofAnyKind_isRecordedCleanedAndCut(Leased kind) {
    List<String> errors = new ArrayList<>(ODD);
    errors.addAll(UNSTORABLE);
    errors.add("");
    errors.add("a".repeat(2_001));
    errors.add(ASTRAL.repeat(2_001));
    errors.add("\u0000".repeat(5_000_000));
    List<Lease<Long>> leases = kind.claimed(DB.dsl(), "row", errors.size(), LONG);
    List<Retry<Long>> retries =
        IntStream.range(0, errors.size())
            .mapToObj(i -> new Retry<>(leases.get(i), Duration.ofHours(1), errors.get(i)))
            .toList();

    assertThat(Leases.ownedBy("owner").retryAll(DB.dsl(), retries))
        .containsOnly(LeaseOutcome.ACCEPTED);

    String column = kind == Leased.JOB_ROW ? "failure" : "last_error";
    List<String> stored =
        texts("select " + column + " from " + kind.qualifiedName() + " order by id");
    assertThat(stored.subList(0, ODD.size())).isEqualTo(ODD);
    assertThat(stored.subList(ODD.size(), ODD.size() + UNSTORABLE.size()))
        .containsExactly(
            "\ufffd",
            "a\ufffdb",
            "end\ufffd",
            "\ufffd",
            "\ufffd",
            "a\ufffd",
            "\ufffd\ufffd",
            "\ufffd" + ASTRAL);
    assertThat(stored.subList(ODD.size() + UNSTORABLE.size(), errors.size()))
        .containsExactly(
            "",
            "a".repeat(2_000) + "... (cut: 2001 characters)",
            ASTRAL.repeat(2_000) + "... (cut: 2001 characters)",
            "\ufffd".repeat(2_000) + "... (cut: 5000000 characters)");
  }

  @Test
  void payload_thatIsNullOrConvertsToNull_isRefusedBeforeSql() {
    Topic<String> toNull =
        Topic.json(
            "nulls", Converter.ofNullable(JSONB.class, String.class, j -> "", s -> nothing()));
    refusedWithinATransaction(tx -> Outbox.create().enqueue(tx, toNull.message("x")));
    Topic<String> bytesToNull =
        Topic.bytes(
            "nulls",
            "text/plain",
            Converter.ofNullable(byte[].class, String.class, b -> "", s -> nothing()));
    refusedWithinATransaction(tx -> Outbox.create().enqueue(tx, bytesToNull.message("x")));
    refusedWithinATransaction(tx -> Outbox.create().enqueue(tx, PLAIN.message(nothing())));
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // what a careless host does
  private static <T> T nothing() {
    return null;
  }

  @Test
  void payload_thatIsJsonNull_isStoredAsJsonNull() {
    Fixtures.enqueue(DB.dsl(), PLAIN.message(JSONB.valueOf("null")).eventId("e"));

    assertThat(texts("select jsonb_typeof(payload_json) from outbox.message"))
        .containsExactly("null");
    Claimed<Long, Delivery> claimed =
        Leases.ownedBy("owner")
            .claim(DB.dsl(), Outbox.create().deliveries(Channel.DEFAULT), LONG, 1)
            .first()
            .orElseThrow();
    assertThat(claimed.row().json()).isEqualTo(JSONB.valueOf("null"));
    assertThat(PLAIN.payloadOf(claimed.row())).isEqualTo(JSONB.valueOf("null"));
  }

  @Test
  void owner_thatIsOdd_isStoredToTheLetter() {
    for (Leased kind : Leased.values()) {
      for (String odd : ODD) {
        long id = kind.addOne(DB.dsl(), "row" + ODD.indexOf(odd) + "-");
        Lease<Long> lease = only(Leases.ownedBy(odd).claimByKey(DB.dsl(), kind.table(), LONG, id));
        assertThat(lease.key()).isEqualTo(id);
      }
      String column = kind == Leased.JOB_ROW ? "worker" : "lease_owner";
      assertThat(texts("select " + column + " from " + kind.qualifiedName() + " order by id"))
          .isEqualTo(ODD);
    }
  }

  private static List<String> texts(String sql) {
    return DB.dsl().fetch(sql).into(String.class);
  }
}
