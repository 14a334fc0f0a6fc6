package dev.fencedoutbox.it.soak;

import java.util.List;

/**
 * Everything that happened.
 *
 * @param said what was committed
 * @param changes in the order in which they were made
 * @param handlings in the order in which they were written down
 */
record History(
    List<Said> said, List<LeaseChange> changes, List<Handling> handlings, List<Fault> faults) {}
