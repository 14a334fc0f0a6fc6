package dev.fencedoutbox.outbox;

import dev.fencedoutbox.internal.KeptTexts;
import dev.fencedoutbox.internal.Rendered;
import dev.fencedoutbox.internal.TextSettings;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record1;
import org.jooq.ResultQuery;

/**
 * Enqueues, each text of which is rendered once: to build and render it takes jOOQ longer than all
 * else of a call. What is sent is what jOOQ would send without this.
 *
 * <p>Thread-safe.
 */
final class EnqueueTexts {

  /** Of about 2 KB. A host that maps the schema for each of its tenants has six for each. */
  private static final int MOST = 256;

  private final KeptTexts<EnqueueRows.Shape, Rendered<Record1<String>>> texts =
      new KeptTexts<>(MOST);

  /** The enqueue of one message or more for this context. */
  ResultQuery<Record1<String>> query(DSLContext context, List<Message> messages) {
    EnqueueRows rows = EnqueueRows.of(messages);
    if (!TextSettings.mayBeKept(context.configuration())) {
      return OutboxSql.enqueue(rows);
    }
    Rendered<Record1<String>> text = text(context, rows.shape());
    Map<String, Field<?>> values = rows.values();
    return text.query(text.placeholders().stream().map(values::get).toList());
  }

  Rendered<Record1<String>> text(DSLContext context, EnqueueRows.Shape shape) {
    return texts.get(context, shape, () -> Rendered.of(context, OutboxSql.enqueue(shape)));
  }

  int kept() {
    return texts.size();
  }
}
