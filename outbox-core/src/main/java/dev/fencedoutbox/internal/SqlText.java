package dev.fencedoutbox.internal;

import java.util.Map;
import org.jooq.Query;
import org.jooq.SQLDialect;
import org.jooq.conf.RenderKeywordCase;
import org.jooq.conf.RenderQuotedNames;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;

/** Statements as text, for people to read. */
public final class SqlText {

  private SqlText() {}

  /** Each statement under its title, with question marks for binds. */
  public static String print(Map<String, ? extends Query> statements) {
    Settings settings =
        new Settings()
            .withRenderFormatted(true)
            .withRenderKeywordCase(RenderKeywordCase.UPPER)
            .withRenderQuotedNames(RenderQuotedNames.NEVER);
    StringBuilder out = new StringBuilder();
    statements.forEach(
        (title, query) ->
            out.append("-- ")
                .append(title)
                .append('\n')
                .append(DSL.using(SQLDialect.POSTGRES, settings).render(query))
                .append(";\n\n"));
    return out.toString();
  }
}
