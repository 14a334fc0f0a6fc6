package dev.fencedoutbox.it.build;

import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.relay.Relay;
import dev.fencedoutbox.relay.SteppedRelay;
import org.postgresql.ds.PGSimpleDataSource;

/** A host of a few lines, for class paths that lack something. */
public final class SmallHost {

  private SmallHost() {}

  /** Delivers what there is, and returns how many. */
  public static long deliver(String url) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(url);
    try (SteppedRelay relay =
        Relay.from(dataSource).on(Fixtures.PLAIN, (payload, attempt) -> {}).stepByStep()) {
      relay.runUntilEmpty();
      return relay.counters().delivered();
    }
  }
}
