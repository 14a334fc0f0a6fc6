package dev.fencedoutbox.it.model;

import java.util.regex.Pattern;

/**
 * A guard of the product that is taken away, and what is to be seen then, whichever comes first.
 */
enum Weakness {
  ANY_EPOCH_WRITES(
      "\"epoch\" = (\\?|cast\\(\\? as bigint\\)|\"held_leases\"\\.\"epoch\")",
      "\"epoch\" >= $1",
      "A superseded epoch wrote|Changed though nobody said so|the product .* GONE"),
  NO_DEADLINE(
      "\"lease_until\" > clock_timestamp\\(\\)", "\"lease_until\" > '-infinity'", "EXPIRED"),
  LIVE_LEASES_ARE_CLAIMED(
      "\"lease_until\" <= statement_timestamp\\(\\)",
      "\"lease_until\" <= 'infinity'",
      "Two live leases on one row|state is DEAD in the database and LEASED in the model"),
  WAITING_ROWS_ARE_CLAIMED(
      "\"next_attempt_at\" <= statement_timestamp\\(\\)",
      "\"next_attempt_at\" <= 'infinity'",
      "The model says nothing"),
  THE_EPOCH_STAYS(
      "\\(\"outbox\"\\.\"delivery\"\\.\"epoch\" \\+ 1\\)",
      "greatest(\"outbox\".\"delivery\".\"epoch\", 1)",
      "An epoch came twice"),
  ATTEMPTS_ARE_NOT_COUNTED("\"attempts\" \\+ 1", "\"attempts\" + 0", "for attempt"),
  A_REDRIVE_RESETS_THE_EPOCH(
      "\"attempts\" = 0", "\"attempts\" = 0, \"epoch\" = 0", "An epoch went back"),
  A_RENEWAL_SHORTENS(
      "greatest\\(\"outbox\"\\.\"delivery\"\\.\"lease_until\", ",
      "greatest(cast(null as timestamptz), ",
      "lease_until"),
  A_RELEASE_COUNTS("\"attempts\" - 1", "\"attempts\" - 0", "attempts"),
  COMPLETED_WITHOUT_A_RECEIPT(
      "(insert into \"outbox\".\"receipt\".*?from \"accepted_rows\")", "$1 where false", "Lost"),
  A_DEAD_HEAD_IS_PASSED(
      "(\"ordering_key\" > (?:\\?|\"key_heads\"\\.\"ordering_key\"))",
      "$1 and \"outbox\".\"delivery\".\"status\" <> 'DEAD'",
      "Overtaken under"),
  WHAT_FAILED_LEADS_A_RUN("\"attempts\" = \\?", "\"attempts\" >= ?", "The model says"),

  /** Seen where transactions overlap. */
  THE_GUARD_IS_READ_BEFORE_A_WAIT(
      "where (\\(\"outbox\"\\.\"delivery\"\\.\"id\" = .*?\"lease_until\" > clock_timestamp\\(\\)\\))",
      "where \"outbox\".\"delivery\".\"id\" in (select \"outbox\".\"delivery\".\"id\""
          + " from \"outbox\".\"delivery\" where $1)",
      "first, then second|violates check constraint"),

  /** Seen where transactions overlap. */
  CLAIMS_DO_NOT_LOCK(" for no key update skip locked", "", "It waited for a lock");

  private final String guard;
  private final String replacement;
  private final Pattern seen;

  Weakness(String guard, String replacement, String seen) {
    this.guard = guard;
    this.replacement = replacement;
    this.seen = Pattern.compile(seen, Pattern.DOTALL);
  }

  Loosened loosened() {
    return new Loosened(guard, replacement);
  }

  /** Whether that tells of it. */
  boolean isSeenIn(String wrong) {
    return seen.matcher(wrong).find();
  }
}
