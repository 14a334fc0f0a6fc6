package dev.fencedoutbox.it.order;

import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.KeyWalk;
import dev.fencedoutbox.lease.OrderedClaims;
import dev.fencedoutbox.lease.OrderedTable;
import dev.fencedoutbox.outbox.Delivery;
import org.jooq.DSLContext;

/** The same of a claim that is made again and again, whose text is another one. */
class RepeatedOrderedClaimTest extends OrderedClaimTest {

  private static final int MOST = 100;

  @Override
  OrderedClaims<Long, Delivery> claim(
      DSLContext dsl, OrderedTable<Long, Delivery> table, ClaimTerms terms, KeyWalk walk) {
    return LEASES.repeatedClaimInOrder(table, terms, MOST).claim(dsl, walk);
  }
}
