package dev.fencedoutbox.http;

import static java.time.ZoneOffset.UTC;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The three forms of a date in a header, RFC 9110 5.6.7. */
final class HttpDates {

  /** The last two, which nobody should send any more; two digits are a year from 2000 on. */
  private static final List<DateTimeFormatter> FORMS =
      List.of(
          DateTimeFormatter.RFC_1123_DATE_TIME,
          DateTimeFormatter.ofPattern("EEEE, dd-MMM-uu HH:mm:ss 'GMT'", Locale.US).withZone(UTC),
          DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss uuuu", Locale.US).withZone(UTC));

  private HttpDates() {}

  /** Empty if it is none. */
  static Optional<Instant> parse(String text) {
    return FORMS.stream().flatMap(form -> parse(form, text.strip()).stream()).findFirst();
  }

  private static Optional<Instant> parse(DateTimeFormatter form, String text) {
    try {
      return Optional.of(form.parse(text, Instant::from));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
