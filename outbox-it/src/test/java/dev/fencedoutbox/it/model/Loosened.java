package dev.fencedoutbox.it.model;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.impl.DefaultExecuteListenerProvider;

/** A host's listener that weakens the product's statements on their way to the database. */
final class Loosened implements ExecuteListener {

  private static final long serialVersionUID = 1L;

  private final Pattern guard;
  private final String replacement;
  private final AtomicInteger changed = new AtomicInteger();

  Loosened(String guard, String replacement) {
    this.guard = Pattern.compile(guard);
    this.replacement = replacement;
  }

  DSLContext on(DSLContext host) {
    return host.configuration().derive(new DefaultExecuteListenerProvider(this)).dsl();
  }

  /** How many statements it weakened. */
  int changed() {
    return changed.get();
  }

  @Override
  public void renderEnd(ExecuteContext ctx) {
    String sql = String.valueOf(ctx.sql());
    String weaker = guard.matcher(sql).replaceAll(replacement);
    if (!weaker.equals(sql)) {
      changed.incrementAndGet();
      ctx.sql(weaker);
    }
  }
}
