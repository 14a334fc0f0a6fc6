package dev.fencedoutbox.job;

/**
 * Does jobs of one kind.
 *
 * @param <I> the type of the input
 * @param <C> the type of the checkpoints
 * @param <R> the type of the result
 */
@FunctionalInterface
public interface JobHandler<I, C, R> {

  /**
   * Does the job, outside any transaction of the runner's. It is interrupted when its lease is
   * lost, when the job is cancelled, and near the end of the runner's close; long work asks {@link
   * RunningJob#isHeld()}. To throw is to try again later.
   */
  JobOutcome<R> run(RunningJob<I, C, R> job) throws Exception;
}
