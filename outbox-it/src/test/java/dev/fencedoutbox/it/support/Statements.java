package dev.fencedoutbox.it.support;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.Query;
import org.jooq.impl.DefaultExecuteListenerProvider;

/** A host's listener that keeps what it is told. */
public final class Statements implements ExecuteListener {

  private static final long serialVersionUID = 1L;

  private final transient List<String> executed = Collections.synchronizedList(new ArrayList<>());
  private final transient List<Object> binds = Collections.synchronizedList(new ArrayList<>());
  private final transient Map<String, Integer> events =
      Collections.synchronizedMap(new TreeMap<>());

  /** The host's context with this listener. */
  public DSLContext listeningOn(DSLContext host) {
    return host.configuration().derive(new DefaultExecuteListenerProvider(this)).dsl();
  }

  /** The text of each statement that was executed. */
  public List<String> executed() {
    return List.copyOf(executed);
  }

  /** Every bind value of them. */
  public List<Object> binds() {
    return List.copyOf(binds);
  }

  /** How often each event came. */
  public Map<String, Integer> events() {
    return Map.copyOf(events);
  }

  /** Forgets all. */
  public void clear() {
    executed.clear();
    binds.clear();
    events.clear();
  }

  private void count(String event) {
    events.merge(event, 1, Integer::sum);
  }

  @Override
  public void start(ExecuteContext ctx) {
    count("start");
  }

  @Override
  public void renderEnd(ExecuteContext ctx) {
    count("render");
  }

  @Override
  public void prepareEnd(ExecuteContext ctx) {
    count("prepare");
  }

  @Override
  public void executeStart(ExecuteContext ctx) {
    count("execute");
    executed.add(String.valueOf(ctx.sql()));
    Query query = ctx.query();
    if (query != null) {
      query.getBindValues().forEach(this::addBind);
    }
  }

  private void addBind(Object value) {
    if (value instanceof Object[] array) {
      Arrays.stream(array).forEach(this::addBind);
    } else if (value != null) {
      binds.add(value);
    }
  }

  @Override
  public void end(ExecuteContext ctx) {
    count("end");
  }

  @Override
  public void exception(ExecuteContext ctx) {
    count("exception");
  }
}
