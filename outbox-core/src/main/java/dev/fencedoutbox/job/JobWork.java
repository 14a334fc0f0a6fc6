package dev.fencedoutbox.job;

import dev.fencedoutbox.engine.Outcome;
import dev.fencedoutbox.engine.Work;
import dev.fencedoutbox.lease.Claimed;
import java.util.function.LongSupplier;

/** A job in this runner's hands. */
final class JobWork extends Work {

  /** What its kind's handler does with it. */
  interface Doing {
    Outcome of(JobWork work) throws Exception;
  }

  private final Desk<?, ?, ?> desk;
  private final Doing doing;
  private final String text;

  JobWork(
      Desk<?, ?, ?> desk,
      Claimed<Long, ? extends JobView<?, ?, ?>> claimed,
      Doing doing,
      LongSupplier nanoClock) {
    super(claimed, nanoClock);
    this.desk = desk;
    this.doing = doing;
    this.text =
        "attempt %d at job %d, %s of kind %s"
            .formatted(number(), claimed.row().id(), claimed.row().key(), desk.kind());
  }

  Desk<?, ?, ?> desk() {
    return desk;
  }

  Outcome run() throws Exception {
    return doing.of(this);
  }

  @Override
  public String toString() {
    return text;
  }
}
