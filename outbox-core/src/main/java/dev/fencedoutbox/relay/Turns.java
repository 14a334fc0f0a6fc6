package dev.fencedoutbox.relay;

/**
 * Which kind of delivery has the first choice of a claim: each in turn, so that neither starves
 * beside the other. A kind that had nothing to give is not asked first again for twenty times as
 * long as that took, so that it costs a busy channel a twentieth; where a claim has room left, it
 * is asked all the same. For one thread.
 */
final class Turns {

  private static final int SHARE = 20;

  private final Kind free = new Kind();
  private final Kind ordered = new Kind();
  private boolean orderedNext;

  private static final class Kind {
    private long askedNanos;
    private long tookNanos;

    boolean isBarred(long nowNanos) {
      return nowNanos - askedNanos < SHARE * tookNanos;
    }

    void was(boolean empty, long beganNanos, long nowNanos) {
      askedNanos = nowNanos;
      tookNanos = empty ? nowNanos - beganNanos : 0;
    }
  }

  /** Whether what has an ordering key is first. */
  boolean orderedIsFirst(long nowNanos) {
    boolean turn = orderedNext;
    orderedNext = !turn;
    Kind first = turn ? ordered : free;
    Kind second = turn ? free : ordered;
    boolean swap = first.isBarred(nowNanos) && !second.isBarred(nowNanos);
    return turn != swap;
  }

  void freeWas(boolean empty, long beganNanos, long nowNanos) {
    free.was(empty, beganNanos, nowNanos);
  }

  /** A walk that goes on has more to give, whatever it has brought. */
  void orderedWas(boolean empty, long beganNanos, long nowNanos) {
    ordered.was(empty, beganNanos, nowNanos);
  }
}
