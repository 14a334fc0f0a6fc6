package dev.fencedoutbox.engine;

import java.util.List;

/**
 * What handles work, one at a time or in batches. Two that are equal may share a batch.
 *
 * @param <W> what is worked on
 */
public interface WorkHandler<W extends Work> {

  /** The most that one call takes, 1 or more. */
  int mostAtOnce();

  /** Handles them, in the calling thread; one outcome each. To throw is to try all again. */
  List<Outcome> handle(List<W> works) throws Exception;
}
