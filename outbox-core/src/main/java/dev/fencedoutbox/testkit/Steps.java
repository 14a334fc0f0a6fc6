package dev.fencedoutbox.testkit;

import static org.jooq.impl.DSL.cardinality;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.systemName;
import static org.jooq.impl.DSL.val;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.SQLDialect;
import org.jooq.TransactionListener;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** What an effect does, statement by statement: counted, stopped at one of them, seen to wait. */
final class Steps {

  private static final int SHOWN = 60;

  private final List<String> seen = new ArrayList<>();
  private final AtomicInteger backend = new AtomicInteger();
  private final int stopAt;
  private final Runnable stop;
  private boolean stopped;
  private boolean wentOn;

  private Steps(int stopAt, Runnable stop) {
    this.stopAt = stopAt;
    this.stop = stop;
  }

  /** Watches only. */
  static Steps watched() {
    return new Steps(-1, () -> {});
  }

  /** Calls {@code stop} right before the step of that index. */
  static Steps stoppedAt(int index, Runnable stop) {
    return new Steps(index, stop);
  }

  /** The same context, of which each statement and each commit is a step. */
  DSLContext of(DSLContext dsl) {
    return dsl.configuration()
        // Before there is a statement: jOOQ 3.20.11 would close it with the one that runs here
        .deriveAppending(ExecuteListener.onPrepareStart(this::backend))
        .deriveAppending(ExecuteListener.onExecuteStart(this::statement))
        .deriveAppending(TransactionListener.onCommitStart(commit -> step("its commit")))
        .dsl();
  }

  private void backend(ExecuteContext context) {
    backend.set(
        DSL.using(context.connection(), SQLDialect.POSTGRES)
            .fetchSingle(select(function(systemName("pg_backend_pid"), SQLDataType.INTEGER)))
            .value1());
  }

  private void statement(ExecuteContext context) {
    @Nullable String sql = context.sql();
    String text = sql == null ? "a batch" : sql.strip().replaceAll("\\s+", " ");
    step(text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text);
  }

  private void step(String name) {
    seen.add(name);
    if (seen.size() == stopAt + 1) {
      stopped = true;
      stop.run();
      wentOn = true;
    }
  }

  /** Each step so far. */
  List<String> seen() {
    return List.copyOf(seen);
  }

  /** Whether the stop did not end as it should, so that what followed proves nothing. */
  boolean isBroken() {
    return stopped && !wentOn;
  }

  /** Whether the last statement waits for a lock that another transaction holds. */
  boolean isBlocked(DSLContext observer) {
    return observer
            .fetchSingle(
                select(
                    cardinality(
                        function(
                            systemName("pg_blocking_pids"),
                            SQLDataType.INTEGER.getArrayDataType(),
                            val(backend.get())))))
            .value1()
        > 0;
  }
}
