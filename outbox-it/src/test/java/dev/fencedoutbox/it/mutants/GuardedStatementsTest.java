package dev.fencedoutbox.it.mutants;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.expireDelivery;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.mutants.Part.Without;
import dev.fencedoutbox.it.support.Leased;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;

/** That the parts of statements are found, and that a mutant is in force. */
class GuardedStatementsTest {

  private final TestDatabase database = TestDatabase.create();
  private final Watch watch = new Watch();
  private final Wire wire = new Wire(watch::read);

  private Connection connect() throws Exception {
    return Objects.requireNonNull(wire.connect(database.url(), new Properties()));
  }

  @Test
  void mutantInForce_letsAnOldOwnersWriteLand() throws Exception {
    Leases owner = Leases.ownedBy("owner");
    try (Connection connection = connect()) {
      DSLContext dsl = TestDatabase.on(connection);
      long id = Leased.DELIVERY_ROW.addOne(dsl, "row");
      Lease<Long> old =
          owner.claimByKey(dsl, Leased.DELIVERY_ROW.table(), LONG, id).claimed().get(0).lease();
      expireDelivery(database.dsl(), id);
      assertThat(owner.claimByKey(dsl, Leased.DELIVERY_ROW.table(), LONG, id).claimed()).hasSize(1);

      assertThat(owner.release(dsl, old)).isEqualTo(LeaseOutcome.SUPERSEDED);
      assertThat(Leased.DELIVERY_ROW.row(database.dsl(), id)).contains("INPROGRESS");
      watch.enforce(
          Set.of(
              new Mutant("Leases.releaseAll (delivery)", "statement: delivery.epoch = ? -> TRUE")));
      assertThat(owner.release(dsl, old)).isEqualTo(LeaseOutcome.SUPERSEDED);
      assertThat(Leased.DELIVERY_ROW.row(database.dsl(), id)).contains("READY");
    }
  }

  @Test
  void parts_areTheOperandsAndTheLoneConditionsAndTheLocks() {
    assertThat(
            parts(
                """
                with "c" as materialized (
                  select "outbox"."job"."id" from "outbox"."job"
                  where ("outbox"."job"."kind" = ? and ("outbox"."job"."a" <= 1 or not ("outbox"."job"."b")))
                  order by 1 for no key update skip locked)
                update "outbox"."job" set "a" = case when "outbox"."job"."a" >= 3 then 1 else 2 end
                where "outbox"."job"."id" = any (array(select "c"."id" from "c"))
                """))
        .containsExactlyInAnyOrder(
            "c: job.kind = ? -> TRUE",
            "c: (job.a <= # or not (job.b)) -> TRUE",
            "c: job.a <= # -> FALSE",
            "c: not (job.b) -> FALSE",
            "c: skip locked -> NOTHING",
            "c: for no key update skip locked -> NOTHING",
            "set a: job.a >= # -> TRUE",
            "set a: job.a >= # -> FALSE",
            "statement: job.id = any(array(select c.id from c)) -> TRUE");
  }

  @Test
  void parts_ofAnotherRendering_areTheSame() {
    assertThat(parts("DELETE FROM outbox.job WHERE (outbox.job.id = ? AND outbox.job.kind = ?)"))
        .isEqualTo(
            parts(
                "delete from \"outbox\".\"job\" where (\"outbox\".\"job\".\"id\" = $1"
                    + " and \"outbox\".\"job\".\"kind\" = $2)"))
        .hasSize(2);
  }

  @Test
  void part_isRemoved_andItsBindsStay() {
    String sql = "delete from outbox.job where (outbox.job.id = ? and outbox.job.kind = ?)";
    Part part = new StatementText(sql).parts().get(1);

    assertThat(part.without()).isEqualTo(Without.TRUE);
    assertThat(part.removedFrom(sql))
        .isEqualTo(
            "delete from outbox.job where (outbox.job.id = ? and (outbox.job.kind = ? or true))");
  }

  private static List<String> parts(String sql) {
    return new StatementText(sql).parts().stream().map(Part::name).toList();
  }
}
