package dev.fencedoutbox.it.labs;

import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.fencedoutbox.it.support.ChildJvm;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.LogLines;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.Buried;
import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.Claims;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.schema.enums.DeliveryStatus;
import dev.fencedoutbox.schema.tables.records.DeliveryRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Article 001: attempts are counted when claimed, so a message that kills its worker ends DEAD. */
class CrashLoopTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final int BUDGET = 3;
  private static final String REASON =
      "The attempt budget of 3 is used up. Last error: none was reported; the worker died or its"
          + " lease ran out.";

  private final DSLContext dsl = DB.dsl();
  private long id;

  @BeforeEach
  void onePoisonMessage() {
    DB.clear();
    enqueue(dsl, message("poison"));
    id = dsl.fetchSingle(DELIVERY).getId();
  }

  @Test
  void crashLoop_ofRealProcesses_isStartedThreeTimes_andEndsDead() {
    List<String> starts = new ArrayList<>();
    String claim = crash();
    while (!claim.equals("nothing")) {
      starts.add(claim);
      assertThat(starts).as("starts of a budget of three").hasSizeLessThanOrEqualTo(BUDGET);
      Fixtures.expireDelivery(dsl, id);
      claim = crash();
    }

    assertThat(starts).containsExactly("attempt 1", "attempt 2", "attempt 3");
    assertDead();
  }

  private static String crash() {
    try (ChildJvm child = ChildJvm.start(CrashingChild.class, Integer.toString(BUDGET), DB.url())) {
      String claim = child.await("CLAIM ");
      assertThat(child.exitStatus()).isEqualTo(claim.equals("nothing") ? 0 : CrashingChild.CRASHED);
      return claim;
    }
  }

  @Test
  void burialByTheClaim_isLoud_andFinal() {
    for (int attempt = 1; attempt <= BUDGET; attempt++) {
      assertThat(Fixtures.only(claim()).attempts()).isEqualTo(attempt);
      Fixtures.expireDelivery(dsl, id);
    }

    try (LogLines log = LogLines.of(Leases.class.getName(), Level.ERROR)) {
      Claims<Long, Delivery> last = claim();

      assertThat(last.claimed()).isEmpty();
      assertThat(last.buried()).containsExactly(new Buried<>(id, BUDGET, REASON));
      assertThat(log.messages())
          .containsExactly(
              "Buried outbox.delivery "
                  + id
                  + " after 3 attempts; it is DEAD and is not claimed again until somebody redrives"
                  + " it. Reason: "
                  + REASON);
      assertDead();
      assertThat(claim())
          .as("a claim after the burial")
          .isEqualTo(new Claims<>(List.of(), List.of()));
      assertThat(log.messages()).as("it is told once").hasSize(1);
    }
  }

  private Claims<Long, Delivery> claim() {
    return Leases.ownedBy("worker")
        .claim(
            dsl,
            Outbox.create().deliveries(Channel.DEFAULT),
            new ClaimTerms(Duration.ofMinutes(10), BUDGET),
            1);
  }

  private void assertDead() {
    DeliveryRecord row = dsl.fetchSingle(DELIVERY);
    assertThat(row.getStatus()).isEqualTo(DeliveryStatus.DEAD);
    assertThat(row.getAttempts()).isEqualTo(BUDGET);
    assertThat(row.getEpoch()).as("the burial is no claim").isEqualTo(BUDGET);
    assertThat(row.getLastError()).isEqualTo(REASON);
    assertThat(row.getLeaseUntil()).isNull();
    assertThat(row.getLeaseOwner()).isNull();
  }
}
