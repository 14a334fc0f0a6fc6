package dev.fencedoutbox.it;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.it.support.Fixtures.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Outbox;
import org.junit.jupiter.api.Test;

class SmokeTest {
  static final TestDatabase DB = TestDatabase.create();

  @Test
  void oneMessage_walksFromEnqueueToReceipt() {
    Leases leases = Leases.ownedBy("smoke");
    enqueue(DB.dsl(), message("e1"));
    var lease = only(leases.claim(DB.dsl(), Outbox.create().deliveries(Channel.DEFAULT), LONG, 10));
    assertThat(leases.complete(DB.dsl(), lease)).isEqualTo(LeaseOutcome.ACCEPTED);
    assertThat(leases.complete(DB.dsl(), lease)).isEqualTo(LeaseOutcome.GONE);
  }
}
