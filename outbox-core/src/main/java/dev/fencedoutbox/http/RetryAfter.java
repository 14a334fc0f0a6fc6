package dev.fencedoutbox.http;

import dev.fencedoutbox.internal.Durations;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** How long an answer asks to wait, RFC 9110 10.2.3. */
final class RetryAfter {

  /** What an outcome may say. */
  static final Duration LONGEST = Duration.ofDays(365);

  private static final Pattern SECONDS = Pattern.compile("\\d+");
  private static final int MOST_DIGITS = 9;

  private RetryAfter() {}

  /**
   * Up to {@link #LONGEST}; empty if the answer does not say, or what is neither seconds nor a
   * date, or asks for no wait, which would use up the attempts within moments.
   *
   * @param now for a date in an answer that does not say when it was given
   */
  static Optional<Duration> of(HttpHeaders headers, Supplier<Instant> now) {
    return headers
        .firstValue("Retry-After")
        .map(String::strip)
        .flatMap(
            asked -> SECONDS.matcher(asked).matches() ? seconds(asked) : until(asked, headers, now))
        .map(wait -> Durations.clamp(wait, Duration.ZERO, LONGEST))
        .filter(wait -> !wait.isZero());
  }

  private static Optional<Duration> seconds(String digits) {
    return Optional.of(
        digits.length() > MOST_DIGITS ? LONGEST : Duration.ofSeconds(Long.parseLong(digits)));
  }

  private static Optional<Duration> until(String date, HttpHeaders headers, Supplier<Instant> now) {
    return HttpDates.parse(date)
        .map(
            until ->
                Duration.between(
                    headers.firstValue("Date").flatMap(HttpDates::parse).orElseGet(now), until));
  }
}
