package dev.fencedoutbox.it.cases;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.JSONB;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

// Case 19, the JSON of payloads: what the library lets through, PostgreSQL must take
class JsonTest {
  static final TestDatabase DB = TestDatabase.create();

  @BeforeAll
  static void askPostgres() {
    DB.dsl()
        .execute(
            "create function is_jsonb(candidate text) returns boolean language plpgsql as $$ begin"
                + " perform candidate::jsonb; return true;"
                + " exception when others then return false; end $$");
  }

  @BeforeEach
  void clear() {
    DB.clear();
  }

  private static List<String> good() {
    return List.of(
        "null",
        "true",
        "false",
        "0",
        "-0",
        "-0.0",
        "1.50",
        "1e10",
        "1E+10",
        "1e-10",
        "\"\"",
        "\"a\"",
        "{}",
        "[]",
        "[ ]",
        " \t\r\n{ \"a\" : [ 1 , 2 ] } \n",
        "{\"a\":1,\"a\":2}",
        "{\"\":\"\"}",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE80\"",
        "\"\uD83D\uDE80\u007f\u2028\uffff\"",
        "\"{} \\\\u0000\"",
        "[\"NULL\",\"{,}\",\"'\"]",
        "[".repeat(1_000) + "]".repeat(1_000),
        "{\"a\":".repeat(999) + "[]" + "}".repeat(999),
        "9".repeat(131_072),
        "-" + "9".repeat(131_072),
        "0." + "1".repeat(16_383),
        "1e131071",
        "1e-16383",
        "\"" + "x".repeat(1 << 20) + "\"");
  }

  private static List<String> bad() {
    return List.of(
        "",
        " ",
        "\n",
        "\u0000",
        "\"a\u0000b\"",
        "{\"a\u0000\":1}",
        "\"\\u0000\"",
        "{\"\\u0000\":1}",
        "[1,{\"a\":[\"b\\u0000\"]}]",
        "\"\uD83D\"",
        "\"\uDE80\"",
        "\"\\uD83D\"",
        "\"\\uDE80\"",
        "\"\\uDE80\\uD83D\"",
        "\"\\uD83D\\uD83D\"",
        "\"\\uD83Dx\"",
        "\"\\uD83D\uDE80\"",
        "\"\\uD83D\\n\"",
        "{\"\\uD83D\":1}",
        "NaN",
        "Infinity",
        "-Infinity",
        "-",
        "+1",
        "01",
        "-01",
        "1.",
        ".5",
        "1e",
        "1e+",
        "0x1",
        "1 2",
        "1,",
        "tru",
        "TRUE",
        "nul",
        "nullx",
        "undefined",
        "'a'",
        "\"a",
        "\"",
        "\"\\",
        "\"\\x41\"",
        "\"\\u12\"",
        "\"\\u123g\"",
        "\"\\u\uff10\uff10\uff14\uff11\"",
        "\"a\nb\"",
        "\"a\tb\"",
        "\"\u001f\"",
        "\ufeff{}",
        "\u00a0{}",
        "\u000b1",
        "{",
        "}",
        "{]",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[1",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{'a':1}",
        "{1:1}",
        "{\"a\" 1}",
        "{\"a\":1 \"b\":2}",
        "{}{}",
        "{} x",
        "/* */ 1",
        "1 // c",
        "9".repeat(131_073),
        "1e131072",
        "1e-16384",
        "1e99999999999",
        "1e-99999999999",
        "0." + "1".repeat(16_384));
  }

  @Test
  void payload_thatIsNotStorableJson_isRefused() {
    assertThat(bad()).noneMatch(JsonTest::accepts);
  }

  @Test
  void payload_deeperThanTheLimit_isRefusedWithoutStackOverflow() {
    assertThat(accepts("[".repeat(1_001) + "]".repeat(1_001))).isFalse();
    assertThat(accepts("[".repeat(10_000_000))).isFalse();
    assertThat(accepts("{\"a\":".repeat(1_000_000))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void payload_thatIsJson_isStoredAsItsValue(boolean batched) {
    List<String> texts = good();
    Message[] messages =
        IntStream.range(0, texts.size())
            .mapToObj(i -> PLAIN.message(JSONB.valueOf(texts.get(i))).eventId("e" + i))
            .toArray(Message[]::new);
    if (batched) {
      Fixtures.enqueue(DB.dsl(), messages);
    } else {
      Stream.of(messages).forEach(message -> Fixtures.enqueue(DB.dsl(), message));
    }

    List<Delivery> deliveries =
        Leases.ownedBy("owner")
            .claim(DB.dsl(), Outbox.create().deliveries(Channel.DEFAULT), LONG, 1_000)
            .claimed()
            .stream()
            .map(Claimed::row)
            .toList();
    assertThat(deliveries).hasSameSizeAs(texts);
    for (int i = 0; i < texts.size(); i++) {
      assertThat(
              DB.dsl()
                  .fetchSingle(
                      "select payload_json = ?::jsonb and payload_json = ?::jsonb"
                          + " from outbox.message where event_id = ?",
                      texts.get(i),
                      deliveries.get(i).json().data(),
                      "e" + i)
                  .get(0, Boolean.class))
          .as(texts.get(i).substring(0, Math.min(60, texts.get(i).length())))
          .isTrue();
    }
  }

  // Differential: thousands of generated texts, most of them nearly JSON
  @Test
  void payload_thatTheLibraryAccepts_isAcceptedByPostgres() {
    long seed = Long.getLong("json.seed", System.nanoTime());
    JsonTexts texts = new JsonTexts(seed);
    List<String> generated = Stream.generate(texts::next).limit(20_000).toList();

    // U+0000 and half surrogates cannot even be sent
    List<String> sendable =
        generated.stream().filter(text -> accepts(text) || isText(text)).toList();
    List<Boolean> byPostgres =
        DB.dsl()
            .fetch(
                "select is_jsonb(t) from unnest(?::text[]) with ordinality u(t, n) order by n",
                (Object) sendable.toArray(String[]::new))
            .into(Boolean.class);

    for (int i = 0; i < sendable.size(); i++) {
      String text = sendable.get(i);
      assertThat(accepts(text)).as("seed %s: %s", seed, text).isEqualTo(byPostgres.get(i));
    }
    assertThat(byPostgres).as("seed %s", seed).contains(true, false);
  }

  private static boolean isText(String text) {
    return text.indexOf(0) < 0
        && text.codePoints()
            .noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
  }

  private static boolean accepts(String text) {
    try {
      Message message = PLAIN.message(JSONB.valueOf(text));
      return !message.eventId().isEmpty();
    } catch (IllegalArgumentException refused) {
      assertThat(refused)
          .hasMessageStartingWith("The payload")
          .hasMessageEndingWith("Nothing was sent.");
      return false;
    }
  }
}
