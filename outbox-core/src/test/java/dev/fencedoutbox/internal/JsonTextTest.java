package dev.fencedoutbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The grammar that {@code jsonb} takes; a suite beside it asks PostgreSQL itself. */
class JsonTextTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "true",
        "false",
        "0",
        "-0",
        "12",
        "-1.5",
        "1e5",
        "1E+5",
        "1.25e-3",
        "\"\"",
        "\"a\"",
        "[]",
        "[ ]",
        "{}",
        "{ }",
        "[1,2,[3]]",
        "{\"a\":1}",
        " \t\r\n1 \t\r\n",
        "{\"a\":{\"b\":[null,true]} , \"a\":2}",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "\"\\u00e9\"",
        "\"\\uD83D\\uDE80\"",
        "\"\\ud83d\\ude80\"",
        "\"\uD83D\uDE80\"",
        "\"\u007f\"",
        "1e131071",
        "1e-16383",
        "\"/\""
      })
  void json_thatCanBeStored_isTaken(String json) {
    assertThatCode(() -> JsonText.requireStorable("The payload", json)).doesNotThrowAnyException();
  }

  static Stream<Arguments> refused() {
    String nothing = "no value starts or goes on here";
    return Stream.of(
        Arguments.of("", "it ends too early, at index 0 of 0"),
        Arguments.of("  ", "it ends too early, at index 2 of 2"),
        Arguments.of("nul", "no value starts here, at index 0 of 3"),
        Arguments.of("nullx", "something follows the value, at index 4 of 5"),
        Arguments.of("1 2", "something follows the value, at index 2 of 3"),
        Arguments.of("01", "something follows the value, at index 1 of 2"),
        Arguments.of("+1", nothing + ", at index 0 of 2"),
        Arguments.of(".5", nothing + ", at index 0 of 2"),
        Arguments.of("1.", nothing + ", at index 2 of 2"),
        Arguments.of("-", nothing + ", at index 1 of 1"),
        Arguments.of("1e", nothing + ", at index 2 of 2"),
        Arguments.of("1e+-5", nothing + ", at index 3 of 5"),
        Arguments.of("NaN", nothing + ", at index 0 of 3"),
        Arguments.of("'a'", nothing + ", at index 0 of 3"),
        Arguments.of("\u00a01", nothing + ", at index 0 of 2"),
        Arguments.of("\u0661", nothing + ", at index 0 of 1"),
        Arguments.of("[1,]", nothing + ", at index 3 of 4"),
        Arguments.of("[1 2]", "']' is missing, at index 3 of 5"),
        Arguments.of("[1", "']' is missing, at index 2 of 2"),
        Arguments.of("{\"a\" 1}", "':' is missing, at index 5 of 7"),
        Arguments.of("{\"a\":1,}", "'\"' is missing, at index 7 of 8"),
        Arguments.of("{a:1}", "'\"' is missing, at index 1 of 5"),
        Arguments.of("{\"a\":1", "'}' is missing, at index 6 of 6"),
        Arguments.of("\"a", "it ends too early, at index 2 of 2"),
        Arguments.of("\"\t\"", "a control character stands in a string unescaped, at index 2 of 3"),
        Arguments.of("\"\\x\"", "\\x is no escape, at index 3 of 4"),
        Arguments.of("\"\\u12g4\"", "\\u needs four hexadecimal digits, at index 6 of 8"),
        Arguments.of("\"\\u\uff11234\"", "\\u needs four hexadecimal digits, at index 4 of 8"),
        Arguments.of(
            "\"\\u0000\"",
            "\\u0000 cannot be stored in jsonb; a bytes payload can hold it, at index 7 of 8"),
        Arguments.of("\"\\uD83D\"", "an escaped surrogate has no partner, at index 7 of 8"),
        Arguments.of("\"\\uDE80\"", "an escaped surrogate has no partner, at index 7 of 8"),
        Arguments.of(
            "\"\\uD83D\\u0041\"", "an escaped surrogate has no partner, at index 13 of 14"),
        Arguments.of("1e131072", "a number has more digits than numeric holds, at index 8 of 8"),
        Arguments.of("1e-16384", "a number has more digits than numeric holds, at index 8 of 8"),
        Arguments.of("1e99999999999", "a number's exponent is beyond anything, at index 13 of 13"));
  }

  @ParameterizedTest
  @MethodSource
  void refused(String json, String why) {
    assertThatThrownBy(() -> JsonText.requireStorable("The payload", json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "The payload is not JSON that PostgreSQL can store: %s. Nothing was sent.", why);
  }

  @Test
  void nesting_isTakenUpToItsLimit() {
    String deepest = "[".repeat(1_000) + "]".repeat(1_000);
    assertThatCode(() -> JsonText.requireStorable("It", deepest)).doesNotThrowAnyException();
    assertThatThrownBy(() -> JsonText.requireStorable("It", "[" + deepest + "]"))
        .hasMessageContaining("it nests deeper than 1000 levels");
    String flat = "[" + "[],".repeat(5_000) + "[]]";
    assertThatCode(() -> JsonText.requireStorable("It", flat)).doesNotThrowAnyException();
  }

  @Test
  void rawUnstorableCharacter_isRefused() {
    assertThatThrownBy(() -> JsonText.requireStorable("It", "\"\u0000\""))
        .hasMessageContaining("U+0000 at index 1");
    assertThatThrownBy(() -> JsonText.requireStorable("It", "\"\uD83D\""))
        .hasMessageContaining("U+D83D at index 1");
  }

  @Test
  void headers_comeBackToTheLetter() {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("plain", "value");
    headers.put("quote\"", "back\\slash");
    headers.put("control", "\u0001\t\n\u001f");
    headers.put("astral", "\uD83D\uDE80");
    headers.put("empty", "");
    String json = JsonStrings.object(headers);
    assertThatCode(() -> JsonText.requireStorable("It", json)).doesNotThrowAnyException();
    assertThat(JsonText.textMembers(json)).isEqualTo(headers);
    assertThat(JsonStrings.object(Map.of())).isEqualTo("{}");
    assertThat(JsonText.textMembers(" { } ")).isEmpty();
  }

  /** Another writer of the same table may have put there what is no text. */
  @Test
  void members_thatAreNoText_comeAsJson() {
    assertThat(
            JsonText.textMembers(
                "{\"n\": 1, \"o\": {\"a\": [\"}\"]}, \"\\u00e9\\/\": \"\\ud83d\\ude80\"}"))
        .containsOnly(
            Map.entry("n", "1"),
            Map.entry("o", "{\"a\": [\"}\"]}"),
            Map.entry("\u00e9/", "\uD83D\uDE80"));
  }
}
