package dev.fencedoutbox.it.soak;

import dev.fencedoutbox.it.soak.Fault.Kind;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jooq.DSLContext;

/**
 * Does something to a process and notes from when to when, by the database's clock. Thread-safe.
 */
final class FaultLog {

  private final DSLContext dsl;
  private final List<Fault> faults = new CopyOnWriteArrayList<>();

  FaultLog(DSLContext dsl) {
    this.dsl = dsl;
  }

  void during(String process, Kind kind, Runnable what) {
    long from = nowMicros();
    try {
      what.run();
    } finally {
      faults.add(new Fault(process, kind, from, nowMicros()));
    }
  }

  private long nowMicros() {
    return dsl.resultQuery("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint")
        .fetchSingle(0, long.class);
  }

  List<Fault> all() {
    return List.copyOf(faults);
  }

  long count(Kind kind) {
    return faults.stream().filter(fault -> fault.kind() == kind).count();
  }
}
