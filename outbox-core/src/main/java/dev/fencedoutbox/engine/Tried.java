package dev.fencedoutbox.engine;

/** What became of a transaction of the engine's own. */
public sealed interface Tried<T> {

  /**
   * It ended well.
   *
   * @param committed false if it was rolled back as wished
   */
  record Done<T>(T value, boolean committed) implements Tried<T> {}

  /** It failed; if the connection broke while it committed, it may have taken place. */
  record Failed<T>(Fault fault) implements Tried<T> {}
}
