package dev.fencedoutbox.it.labs;

import static dev.fencedoutbox.it.support.TestDatabase.on;

import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import java.sql.Connection;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** The library's fenced statements over some table. */
abstract class FencedPort implements RecoveryPort {

  private final Leases leases = Leases.ownedBy("recovery");
  private final LeaseTable<Long, ?> table;

  FencedPort(LeaseTable<Long, ?> table) {
    this.table = table;
  }

  @Override
  public final Optional<Claim> claim(Connection connection) {
    return leases.claim(on(connection), table, Fixtures.LONG, 1).claimed().stream()
        .<Claim>map(claimed -> new FencedClaim(leases, claimed.lease()))
        .findFirst();
  }

  /** A deadline in the future, for claims that are written by hand. */
  static Field<OffsetDateTime> inTenMinutes() {
    return DSL.field(
        "clock_timestamp() + interval '10 minutes'", SQLDataType.TIMESTAMPWITHTIMEZONE);
  }

  private record FencedClaim(Leases leases, Lease<Long> lease) implements Claim {

    @Override
    public long key() {
      return lease.key();
    }

    @Override
    public long epoch() {
      return lease.epoch().value();
    }

    @Override
    public boolean complete(Connection connection) {
      return leases.complete(on(connection), lease).accepted();
    }

    @Override
    public boolean retry(Connection connection) {
      return leases.retry(on(connection), lease, Duration.ZERO, "it failed").accepted();
    }
  }
}
