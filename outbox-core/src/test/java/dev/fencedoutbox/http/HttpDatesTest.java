package dev.fencedoutbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9110 5.6.7: a recipient takes all three forms. */
class HttpDatesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sun, 06 Nov 2044 08:49:37 GMT",
        "Sunday, 06-Nov-44 08:49:37 GMT",
        "Sun Nov  6 08:49:37 2044",
        " Sun, 06 Nov 2044 08:49:37 GMT "
      })
  void date_ofEachForm_isRead(String text) {
    assertThat(HttpDates.parse(text)).contains(Instant.parse("2044-11-06T08:49:37Z"));
  }

  @Test
  void dateOfTwoDigits_inAsctimesForm_isRead() {
    assertThat(HttpDates.parse("Wed Nov 16 08:49:37 2044"))
        .contains(Instant.parse("2044-11-16T08:49:37Z"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "2044-11-06T08:49:37Z", "Sun, 31 Feb 2044 08:49:37 GMT"})
  void anythingElse_isNone(String text) {
    assertThat(HttpDates.parse(text)).isEmpty();
  }
}
