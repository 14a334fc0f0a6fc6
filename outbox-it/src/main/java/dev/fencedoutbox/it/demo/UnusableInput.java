package dev.fencedoutbox.it.demo;

/** The demo cannot start with what it was given; the message is written for its user. */
final class UnusableInput extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UnusableInput(String message) {
    super(message);
  }

  UnusableInput(String message, Throwable cause) {
    super(message, cause);
  }
}
