package dev.fencedoutbox.it.bench;

/** Something that is measured. */
@FunctionalInterface
interface Scenario {

  /** Measures it. */
  Section run(Setting setting) throws Exception;
}
