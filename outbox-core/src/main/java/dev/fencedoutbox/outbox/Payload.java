package dev.fencedoutbox.outbox;

import dev.fencedoutbox.internal.JsonText;
import org.jooq.JSONB;

/** A payload as it is stored: as JSON, or as bytes to the letter. */
sealed interface Payload {

  /** The longest payload: bytes, or characters of JSON. */
  int MAX_LENGTH = 64 * 1024 * 1024;

  /** Checked to be storable. */
  record Json(JSONB value) implements Payload {

    public Json {
      requireLength("characters", value.data().length());
      JsonText.requireStorable("The payload", value.data());
    }
  }

  /** A copy of what was given. */
  final class Bytes implements Payload {

    private final byte[] value;

    Bytes(byte[] value) {
      requireLength("bytes", value.length);
      this.value = value.clone();
    }

    byte[] value() {
      return value;
    }
  }

  private static void requireLength(String unit, int length) {
    if (length > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "The payload has %,d %s and may have %,d. Nothing was sent. Store it elsewhere and send where it is."
              .formatted(length, unit, MAX_LENGTH));
    }
  }
}
