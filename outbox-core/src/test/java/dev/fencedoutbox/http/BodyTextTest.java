package dev.fencedoutbox.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BodyTextTest {

  private static final HttpHeaders NONE = HttpHeaders.of(Map.of(), (name, value) -> true);

  @Test
  void text_isCutBetweenCharacters() {
    String rockets = "\uD83D\uDE80".repeat(BodyText.LONGEST + 1);

    assertThat(BodyText.of(rockets.getBytes(UTF_8), NONE))
        .isEqualTo("\uD83D\uDE80".repeat(BodyText.LONGEST) + "...");
  }

  /** The beginning was cut by bytes. */
  @Test
  void halfACharacter_atTheEnd_isLeftOut() {
    byte[] whole = "ab\uD83D\uDE80".getBytes(UTF_8);

    assertThat(BodyText.of(Arrays.copyOf(whole, whole.length - 1), NONE)).isEqualTo("ab");
  }
}
