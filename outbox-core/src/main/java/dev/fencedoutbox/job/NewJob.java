package dev.fencedoutbox.job;

import dev.fencedoutbox.internal.Durations;
import dev.fencedoutbox.internal.Texts;
import java.time.Duration;
import java.util.UUID;
import org.jooq.JSONB;

/**
 * Work to do, before it is submitted. {@link JobKind#job} makes one; each other method returns a
 * changed copy.
 *
 * <p>Bad values are refused here with an {@link IllegalArgumentException}, before anything is sent.
 *
 * <p>Immutable and thread-safe.
 */
public final class NewJob {

  private static final Duration LONGEST_DELAY = Duration.ofDays(365);

  private final JobKind<?, ?, ?> kind;
  private final JSONB input;
  private final String key;
  private final Duration delay;

  NewJob(JobKind<?, ?, ?> kind, JSONB input) {
    this(kind, input, UUID.randomUUID().toString(), Duration.ZERO);
  }

  private NewJob(JobKind<?, ?, ?> kind, JSONB input, String key, Duration delay) {
    this.kind = kind;
    this.input = input;
    this.key = key;
    this.delay = delay;
  }

  /**
   * Names the job. Two of one kind under one key are one job: the second is not stored, for as long
   * as the first is kept, also when that is over. Derive it from the business fact, such as {@code
   * order-17}.
   *
   * @param name 1 to {@value Texts#MAX_NAME} characters
   */
  public NewJob key(String name) {
    return new NewJob(kind, input, Texts.requireName("A job's key", name), delay);
  }

  /**
   * Not before this long after it is submitted, by the database's clock.
   *
   * @param wait 0 to 365 days
   */
  public NewJob after(Duration wait) {
    Durations.requireBetween("after", wait, Duration.ZERO, LONGEST_DELAY);
    return new NewJob(kind, input, key, wait);
  }

  /** The job's name. */
  public String key() {
    return key;
  }

  JobKind<?, ?, ?> kind() {
    return kind;
  }

  JSONB input() {
    return input;
  }

  Duration delay() {
    return delay;
  }

  /** Without the input. */
  @Override
  public String toString() {
    return "job %s of kind %s".formatted(key, kind);
  }
}
