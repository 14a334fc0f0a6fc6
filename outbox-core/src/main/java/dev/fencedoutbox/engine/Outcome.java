package dev.fencedoutbox.engine;

import java.time.Duration;
import java.util.Optional;
import org.jooq.JSONB;
import org.jspecify.annotations.Nullable;

/** What became of work, as its handler says. */
public sealed interface Outcome {

  /** It is done. */
  record Done(@Nullable JSONB result) implements Outcome {}

  /** Try it again, after so long or as the backoff says, while its attempts last. */
  record Retry(Optional<Duration> after, String reason) implements Outcome {}

  /** It was not tried: hand it back as it was. */
  record Release() implements Outcome {}

  /** It will never succeed. */
  record Bury(String reason) implements Outcome {}

  /** The handler has ended the claim itself. */
  record Settled() implements Outcome {}
}
