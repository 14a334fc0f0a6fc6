package dev.fencedoutbox.it.labs;

import static dev.fencedoutbox.it.shop.Tables.JOB;
import static dev.fencedoutbox.it.support.TestDatabase.on;

import dev.fencedoutbox.it.app.ShopJobs;
import dev.fencedoutbox.it.shop.enums.JobState;
import dev.fencedoutbox.it.support.Fixtures;
import java.sql.Connection;

/** The fenced statements over the shop's own jobs. */
final class FencedJobs extends FencedPort {

  FencedJobs() {
    super(ShopJobs.JOBS);
  }

  @Override
  public void reset(Connection connection) {
    on(connection).truncate(JOB).execute();
  }

  @Override
  public long insert(Connection connection, String name) {
    return Fixtures.job(on(connection), name);
  }

  @Override
  public void expire(Connection connection, long key) {
    Fixtures.expireJob(on(connection), key);
  }

  @Override
  public void supersede(Connection connection, long key) {
    on(connection)
        .update(JOB)
        .set(JOB.EPOCH, JOB.EPOCH.plus(1))
        .set(JOB.LEASE_UNTIL, inTenMinutes())
        .where(JOB.ID.eq(key))
        .execute();
  }

  @Override
  public Row row(Connection connection, long key) {
    return on(connection)
        .select(JOB.STATE, JOB.EPOCH, JOB.LEASE_UNTIL)
        .from(JOB)
        .where(JOB.ID.eq(key))
        .fetchSingle(row -> new Row(status(row.value1()), row.value2(), row.value3() != null));
  }

  private static Status status(JobState state) {
    return switch (state) {
      case READY -> Status.WAITING;
      case RUNNING -> Status.LEASED;
      case DONE -> Status.DONE;
      case DEAD -> throw new AssertionError("no job dies in this lab");
    };
  }
}
