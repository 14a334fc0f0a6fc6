package dev.fencedoutbox.relay;

import java.util.List;

/**
 * Stands around each call of a handler, such as to open a span or to set up logging. Called in the
 * handler's thread, outside any transaction.
 */
@FunctionalInterface
public interface DeliveryInterceptor {

  /**
   * Calls {@code next}, once, and returns what it returned; what it throws, or what {@code next}
   * threw, is a retry of all.
   *
   * @param attempts one, or the batch of a {@link BatchHandler}
   */
  List<DeliveryOutcome> around(List<Attempt> attempts, Handling next) throws Exception;

  /** The handler, or the next interceptor. */
  @FunctionalInterface
  interface Handling {

    /** Delivers. */
    List<DeliveryOutcome> proceed() throws Exception;
  }
}
