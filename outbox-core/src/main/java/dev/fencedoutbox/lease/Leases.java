package dev.fencedoutbox.lease;

import dev.fencedoutbox.internal.CheckReturnValue;
import dev.fencedoutbox.internal.HostContext;
import dev.fencedoutbox.internal.Texts;
import dev.fencedoutbox.lease.GuardedWrite.Claim;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record2;
import org.jooq.ResultQuery;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims rows and writes under their leases. Claims may bring nothing; every write returns an
 * outcome, since the lease may be lost at any time, and a write that is refused has changed
 * nothing.
 *
 * <p><b>Transactions.</b> Each call runs one statement on the caller's context, inside the caller's
 * transaction if there is one, and never begins, commits or rolls back anything. Only a refusal
 * costs a second statement, which reads why. Commit a claim before doing slow work under it: what
 * is not committed is not claimed, and holds a lock. If the transaction of a claim is rolled back,
 * throw its leases away: the next claim gets the same epochs. Never claim under {@code
 * synchronous_commit = off}.
 *
 * <p><b>Isolation.</b> Made for READ COMMITTED. Under REPEATABLE READ and SERIALIZABLE a lost race
 * surfaces as SQLSTATE 40001 in place of an outcome, and the caller's transaction must be retried.
 *
 * <p><b>Errors.</b> Bad arguments: {@link IllegalArgumentException} before anything is sent. Two
 * writes of overlapping batches at once, on two connections, may meet in a deadlock, SQLSTATE
 * 40P01; the one that got it has changed nothing and may be repeated. Database errors: as jOOQ and
 * the host's listeners translate them, untouched.
 *
 * <p>Immutable and thread-safe.
 *
 * <p>Source: articles 000, 001 and 002.
 */
@CheckReturnValue
public final class Leases {

  private static final Logger LOG = LoggerFactory.getLogger(Leases.class);

  private final String owner;
  private final LongSupplier nanoClock;

  private Leases(String owner, LongSupplier nanoClock) {
    this.owner = Texts.requireName("owner", owner);
    this.nanoClock = nanoClock;
  }

  /**
   * Leases that note {@code owner} in the rows they claim, for people to read. It proves nothing:
   * two workers of one name are told apart by their epochs.
   *
   * @param owner 1 to {@value Texts#MAX_NAME} characters
   */
  public static Leases ownedBy(String owner) {
    return new Leases(owner, System::nanoTime);
  }

  /** The same with another monotonic clock for {@link Lease#trustLeft}; for tests. */
  public Leases withNanoClock(LongSupplier clock) {
    return new Leases(owner, clock);
  }

  /**
   * Claims the oldest claimable rows. Rows that others are claiming are skipped, never waited for.
   *
   * @param limit 1 to {@value LeaseStatements#MAX_CLAIM}
   */
  public <K, V> Claims<K, V> claim(
      DSLContext dsl, LeaseTable<K, V> table, ClaimTerms terms, int limit) {
    return claim(dsl, table, LeaseStatements.claim(table, terms, owner, limit));
  }

  /** Claims the row with that key, if it is claimable. */
  public <K, V> Claims<K, V> claimByKey(
      DSLContext dsl, LeaseTable<K, V> table, ClaimTerms terms, K key) {
    return claim(dsl, table, LeaseStatements.claimByKey(table, terms, owner, key));
  }

  /**
   * The same claim for those who make it again and again: its statement is rendered once.
   *
   * @param most rows of one claim, 1 to {@value LeaseStatements#MAX_CLAIM}
   */
  public <K, V> RepeatedClaim<K, V> repeatedClaim(
      LeaseTable<K, V> table, ClaimTerms terms, int most) {
    return new RepeatedClaim<>(this, table, terms, most);
  }

  /** {@link #completeAll} for those who do it again and again: its statement is rendered once. */
  public <K> RepeatedCompletion<K> repeatedCompletion(LeaseTable<K, ?> table) {
    return new RepeatedCompletion<>(this, table);
  }

  private <K, V> Claims<K, V> claim(
      DSLContext dsl, LeaseTable<K, V> table, ClaimStatement<K, V> statement) {
    DSLContext context = context(dsl, table);
    long sentNanos = nanoClock.getAsLong();
    Claims<K, V> claims = statement.read(context.fetch(statement.query()), sentNanos);
    report(table, claims.buried());
    return claims;
  }

  /**
   * Claims runs of rows: under each ordering key its oldest row, if that is claimable, and the
   * claimable rows that follow it without a gap. Rows that others are claiming end a run and are
   * never waited for. There is no order across ordering keys but the walk's.
   *
   * <p>Run it at READ COMMITTED, in a transaction of its own.
   */
  public <K, V> OrderedClaims<K, V> claimInOrder(
      DSLContext dsl, OrderedTable<K, V> table, ClaimTerms terms, KeyWalk walk) {
    OrderedClaimStatement<K, V> statement = LeaseStatements.claimInOrder(table, terms, owner, walk);
    DSLContext context = context(dsl, table.table());
    long sentNanos = nanoClock.getAsLong();
    OrderedClaims<K, V> ordered = statement.read(context.fetch(statement.query()), sentNanos);
    report(table.table(), ordered.claims().buried());
    return ordered;
  }

  /**
   * {@link #claimInOrder} for those who do it again and again: its statement is rendered once.
   *
   * @param most the highest limit of a walk, 1 to {@value LeaseStatements#MAX_CLAIM}
   */
  public <K, V> RepeatedOrderedClaim<K, V> repeatedClaimInOrder(
      OrderedTable<K, V> table, ClaimTerms terms, int most) {
    return new RepeatedOrderedClaim<>(this, table, terms, most);
  }

  static <K> void report(LeaseTable<K, ?> table, List<Buried<K>> burials) {
    for (Buried<K> buried : burials) {
      LOG.error(
          "Buried {} {} after {} attempts; it is DEAD and is not claimed again until somebody"
              + " redrives it. Reason: {}",
          table,
          buried.key(),
          buried.attempts(),
          buried.reason());
    }
  }

  /**
   * Extends a lease to {@code leaseFor} from now by the database's clock; it is never shortened.
   * The epoch stays.
   *
   * @param leaseFor bounds as in {@link ClaimTerms}
   */
  public <K> RenewOutcome<K> renew(DSLContext dsl, Lease<K> lease, Duration leaseFor) {
    return renewAll(dsl, List.of(lease), leaseFor).get(0);
  }

  /** Extends many leases of one table by one statement; outcomes in the order of {@code leases}. */
  public <K> List<RenewOutcome<K>> renewAll(
      DSLContext dsl, Collection<Lease<K>> leases, Duration leaseFor) {
    List<Lease<K>> all = List.copyOf(leases);
    if (all.isEmpty()) {
      return List.of();
    }
    DSLContext context = context(dsl, all.get(0).table());
    long sentNanos = nanoClock.getAsLong();
    Map<Claim, OffsetDateTime> renewed = new HashMap<>();
    context
        .fetch(LeaseStatements.renew(all, leaseFor))
        .forEach(row -> renewed.put(new Claim(row.value1(), row.value2()), row.value3()));
    Map<Claim, LeaseOutcome> refusals = GuardedWrite.refusals(context, all, renewed.keySet());
    Lease.Term term = new Lease.Term(leaseFor, sentNanos);
    return all.stream().map(lease -> renewal(lease, term, renewed, refusals)).toList();
  }

  private static <K> RenewOutcome<K> renewal(
      Lease<K> lease,
      Lease.Term term,
      Map<Claim, OffsetDateTime> renewed,
      Map<Claim, LeaseOutcome> refusals) {
    OffsetDateTime until = renewed.get(Claim.of(lease));
    return until == null
        ? new RenewOutcome.Refused<>(lease, Objects.requireNonNull(refusals.get(Claim.of(lease))))
        : new RenewOutcome.Renewed<>(lease.renewed(until, term));
  }

  /**
   * Ends the claim and the work: the row gets its final status, or goes. Called first in a
   * transaction, it is the guard of all that follows there, since the row stays locked to the
   * commit; roll back if it was refused. In a nested transaction the lock ends with a rollback to
   * its savepoint.
   */
  public <K> LeaseOutcome complete(DSLContext dsl, Lease<K> lease) {
    return completeAll(dsl, List.of(lease)).get(0);
  }

  /**
   * Completes many leases of one table by one statement; outcomes in the order of {@code leases}.
   * One may be refused and those after it accepted: with leases of an {@link OrderedTable}, do it
   * in a transaction and roll back if a refused one stands before an accepted one of its ordering
   * key.
   */
  public <K> List<LeaseOutcome> completeAll(DSLContext dsl, Collection<Lease<K>> leases) {
    return write(dsl, leases, lease -> lease, LeaseStatements::complete);
  }

  /**
   * Ends the claim; the row is claimable again after a while, with its attempts counted. The error
   * is noted if the table has a column for it.
   *
   * @param after zero for a table without a due time, else bounds as in {@link Retry}
   */
  public <K> LeaseOutcome retry(
      DSLContext dsl, Lease<K> lease, Duration after, @Nullable String error) {
    return retryAll(dsl, List.of(new Retry<>(lease, after, error))).get(0);
  }

  /**
   * Retries many leases of one table by one statement; outcomes in the order of {@code retries}.
   */
  public <K> List<LeaseOutcome> retryAll(DSLContext dsl, Collection<Retry<K>> retries) {
    return write(dsl, retries, Retry::lease, LeaseStatements::retry);
  }

  /** Hands the row back unharmed: claimable as it was, and the attempt refunded. */
  public <K> LeaseOutcome release(DSLContext dsl, Lease<K> lease) {
    return releaseAll(dsl, List.of(lease)).get(0);
  }

  /**
   * Releases many leases of one table by one statement; outcomes in the order of {@code leases}.
   */
  public <K> List<LeaseOutcome> releaseAll(DSLContext dsl, Collection<Lease<K>> leases) {
    return write(dsl, leases, lease -> lease, LeaseStatements::release);
  }

  /**
   * Releases many leases of one table by one statement, and lets their rows wait: claimable again
   * after a while, the attempt refunded. Outcomes in the order of {@code leases}.
   *
   * @param after bounds as in {@link Retry}
   */
  public <K> List<LeaseOutcome> postponeAll(
      DSLContext dsl, Collection<Lease<K>> leases, Duration after) {
    return write(dsl, leases, lease -> lease, all -> LeaseStatements.postpone(all, after));
  }

  /**
   * Gives the row up: it is DEAD until somebody redrives it, by making it ready again with fresh
   * attempts, a due time, and its epoch as it is. The reason is noted if the table has a column for
   * it.
   */
  public <K> LeaseOutcome bury(DSLContext dsl, Lease<K> lease, @Nullable String reason) {
    return buryAll(dsl, List.of(new Burial<>(lease, reason))).get(0);
  }

  /** Buries many leases of one table by one statement; outcomes in the order of {@code burials}. */
  public <K> List<LeaseOutcome> buryAll(DSLContext dsl, Collection<Burial<K>> burials) {
    return write(dsl, burials, Burial::lease, LeaseStatements::bury);
  }

  /**
   * Writes one of the application's own columns of the leased row, such as its progress; the claim
   * goes on.
   *
   * @throws IllegalArgumentException if the column belongs to the lease
   */
  public <K, T> LeaseOutcome checkpoint(DSLContext dsl, Lease<K> lease, Field<T> column, T value) {
    return write(dsl, lease, LeaseStatements.checkpoint(lease, column, value));
  }

  /**
   * Takes the guard without ending the claim: if it returns {@link LeaseOutcome#ACCEPTED}, the row
   * is locked to the end of the caller's transaction, or until that goes back to a savepoint before
   * it, and nobody can claim it before that commits. Any number of the application's own statements
   * may follow in the same transaction.
   *
   * @throws IllegalStateException outside a transaction, where the lock would be gone at once
   */
  public <K> LeaseOutcome hold(DSLContext tx, Lease<K> lease) {
    HostContext.requireTransaction(
        tx, "Leases.hold", "or use Leases.apply, which guards and writes in one statement.");
    return write(tx, lease, LeaseStatements.hold(lease));
  }

  /** Completes the row and writes {@code effect} in one statement: both or neither. */
  public <K> EffectOutcome finish(DSLContext dsl, Lease<K> lease, Effect<K> effect) {
    return effect(dsl, lease, LeaseStatements.finish(lease, effect));
  }

  /** Writes {@code effect} in one statement if the lease holds; the claim goes on. */
  public <K> EffectOutcome apply(DSLContext dsl, Lease<K> lease, Effect<K> effect) {
    return effect(dsl, lease, LeaseStatements.apply(lease, effect));
  }

  private static <K> EffectOutcome effect(
      DSLContext dsl, Lease<K> lease, ResultQuery<Record2<Integer, Integer>> statement) {
    return FencedEffect.outcome(context(dsl, lease.table()).fetchSingle(statement));
  }

  private static <K> LeaseOutcome write(
      DSLContext dsl, Lease<K> lease, ResultQuery<Record2<K, Long>> statement) {
    return GuardedWrite.run(context(dsl, lease.table()), List.of(lease), statement).get(0);
  }

  private static <K, T> List<LeaseOutcome> write(
      DSLContext dsl,
      Collection<T> items,
      Function<T, Lease<K>> leaseOf,
      Function<List<T>, ResultQuery<Record2<K, Long>>> statement) {
    List<T> all = List.copyOf(items);
    if (all.isEmpty()) {
      return List.of();
    }
    List<Lease<K>> leases = all.stream().map(leaseOf).toList();
    return GuardedWrite.run(context(dsl, leases.get(0).table()), leases, statement.apply(all));
  }

  String owner() {
    return owner;
  }

  long nanoTime() {
    return nanoClock.getAsLong();
  }

  static DSLContext context(DSLContext dsl, LeaseTable<?, ?> table) {
    return table.logged() ? HostContext.of(dsl) : HostContext.withoutLogging(dsl);
  }
}
