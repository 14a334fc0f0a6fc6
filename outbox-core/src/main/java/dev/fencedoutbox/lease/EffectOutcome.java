package dev.fencedoutbox.lease;

/**
 * What became of a fenced effect. A {@code switch} over it without {@code default} makes the
 * compiler ask for every case.
 *
 * <p>Source: article 002.
 */
public enum EffectOutcome {
  /** The lease held and the effect wrote at least one row. */
  APPLIED,
  /**
   * The lease held, and the effect wrote no row: its own unique key was there already ({@code ON
   * CONFLICT DO NOTHING}), or its {@code UPDATE} or {@code DELETE} met no row, which may as well be
   * a wrong condition. The completion took place.
   */
  DUPLICATE,
  /** The lease did not hold: neither the row nor the effect was written. */
  FENCED
}
