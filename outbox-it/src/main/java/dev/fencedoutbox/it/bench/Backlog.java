package dev.fencedoutbox.it.bench;

/**
 * What waits to be delivered.
 *
 * @param payloadBytes of each message, about
 */
record Backlog(int messages, int payloadBytes, Keys keys) {

  /** The size of a usual message. */
  static final int USUAL_BYTES = 500;

  static Backlog of(int messages) {
    return new Backlog(messages, USUAL_BYTES, Keys.NONE);
  }
}
