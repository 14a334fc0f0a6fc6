package dev.fencedoutbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;

class TextsTest {

  private static final String ROCKET = "\uD83D\uDE80";

  @Test
  void name_of255Characters_isTaken_outsideTheBasicPlaneAsWell() {
    assertThat(Texts.requireName("Key", "k".repeat(255))).hasSize(255);
    assertThat(Texts.requireName("Key", ROCKET.repeat(255))).hasSize(510);
  }

  @Test
  void name_of256Characters_isRefused_andCutInTheMessage() {
    assertThatThrownBy(() -> Texts.requireName("Key", ROCKET.repeat(256)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Key must have 1 to 255 characters and has 256: \"%s...\". Nothing was sent.",
            ROCKET.repeat(40));
  }

  @ParameterizedTest
  @NullAndEmptySource
  void name_thatIsMissing_isRefused(String name) {
    assertThatThrownBy(() -> Texts.requireName("Key", name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Key must have 1 to 255 characters and is empty. Nothing was sent.");
  }

  @Test
  void text_thatPostgresCannotStore_isRefused() {
    refused("ab\u0000", "U+0000 at index 2");
    refused("a\uD83D", "U+D83D at index 1");
    refused("\uDE80\uD83D", "U+DE80 at index 0");
    refused(ROCKET + "\uD83Dx", "U+D83D at index 2");
    assertThat(Texts.requireStorable("Text", ROCKET + "\uFFFF\u0001")).hasSize(4);
  }

  private static void refused(String text, String what) {
    assertThatThrownBy(() -> Texts.requireStorable("Text", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Text has %s, which PostgreSQL cannot store as text. Nothing was sent.", what);
  }

  @Test
  void error_isCleanedOfWhatCannotBeStored() {
    assertThat(Texts.cleanError("a\u0000b\uD83Dc" + ROCKET + "\uDE80"))
        .isEqualTo("a\uFFFDb\uFFFDc" + ROCKET + "\uFFFD");
    assertThat(Texts.cleanError(null)).isEqualTo("(no error text)");
    assertThat(Texts.cleanError("")).isEmpty();
  }

  @Test
  void error_ofFiveMegabytes_isCut_andSaysSo() {
    String error = "x".repeat(5_000_000);
    assertThat(Texts.cleanError(error))
        .isEqualTo("x".repeat(2_000) + "... (cut: 5000000 characters)");
  }

  @Test
  void error_isCutBetweenCharacters_notWithinOne() {
    assertThat(Texts.cleanError(ROCKET.repeat(2_000))).isEqualTo(ROCKET.repeat(2_000));
    assertThat(Texts.cleanError(ROCKET.repeat(2_001)))
        .isEqualTo(ROCKET.repeat(2_000) + "... (cut: 2001 characters)");
  }
}
