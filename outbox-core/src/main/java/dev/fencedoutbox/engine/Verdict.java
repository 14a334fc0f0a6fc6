package dev.fencedoutbox.engine;

import dev.fencedoutbox.internal.Texts;
import java.time.Duration;
import org.jooq.JSONB;
import org.jspecify.annotations.Nullable;

/** What is written about a row. */
public sealed interface Verdict {

  /** Completed. */
  record Complete(@Nullable JSONB result) implements Verdict {}

  /** Claimable again after a while, the attempt counted. */
  record Again(Duration after, String error) implements Verdict {

    /** With the error as it is kept. */
    @Override
    public String toString() {
      return "a retry after %s: %s".formatted(after, Texts.cleanError(error));
    }
  }

  /** DEAD. */
  record Dead(String reason) implements Verdict {

    /** With the reason as it is kept. */
    @Override
    public String toString() {
      return "DEAD: " + Texts.cleanError(reason);
    }
  }

  /** Handed back as it was. */
  record Back() implements Verdict {}

  /**
   * Done, and handed back all the same: one before it of its key was not recorded, so it is done
   * again after that.
   */
  record Undone() implements Verdict {}

  /** Handed back for later, to somebody who can handle it. */
  record Later(Duration after) implements Verdict {}
}
