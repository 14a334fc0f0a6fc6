package dev.fencedoutbox.it.demo;

/** A line of the orders file that is no row. */
final class MalformedRow extends Exception {

  private static final long serialVersionUID = 1L;

  private final String reason;

  MalformedRow(String reason) {
    super(reason);
    this.reason = reason;
  }

  MalformedRow(String reason, Throwable cause) {
    super(reason, cause);
    this.reason = reason;
  }

  /** What is wrong with it, for the person who wrote it. */
  String reason() {
    return reason;
  }
}
