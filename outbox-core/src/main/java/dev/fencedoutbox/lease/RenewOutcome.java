package dev.fencedoutbox.lease;

/**
 * What became of a renewal: a lease with a later deadline and the same epoch, or the reason why
 * there is none. A holder that was refused must stop using the old lease.
 *
 * <p>Immutable and thread-safe.
 *
 * <p>Source: article 002, <i>Renewal must keep the same ownership rule</i>.
 *
 * @param <K> the type of the table's key
 */
public sealed interface RenewOutcome<K> {

  /** The lease holds until its new deadline; use {@code lease} from here on. */
  record Renewed<K>(Lease<K> lease) implements RenewOutcome<K> {}

  /**
   * Nothing was written.
   *
   * @param lease the lease that was refused
   * @param reason never {@link LeaseOutcome#ACCEPTED}
   */
  record Refused<K>(Lease<K> lease, LeaseOutcome reason) implements RenewOutcome<K> {}
}
