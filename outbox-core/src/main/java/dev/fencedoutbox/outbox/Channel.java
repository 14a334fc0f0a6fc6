package dev.fencedoutbox.outbox;

import dev.fencedoutbox.internal.Texts;

/**
 * A named stream of deliveries; a relay serves one channel.
 *
 * <p>Immutable and thread-safe.
 *
 * @param name 1 to {@value Texts#MAX_NAME} characters
 */
public record Channel(String name) {

  /** Where a message goes that names no channel. */
  public static final Channel DEFAULT = new Channel("default");

  /**
   * @throws IllegalArgumentException if the name is empty, too long or not storable
   */
  public Channel {
    Texts.requireName("A channel's name", name);
  }

  /** The channel of that name. */
  public static Channel of(String name) {
    return new Channel(name);
  }

  @Override
  public String toString() {
    return name;
  }
}
