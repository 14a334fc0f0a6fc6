package dev.fencedoutbox.internal;

import java.util.Locale;
import org.jooq.Configuration;
import org.jooq.SQLDialect;
import org.jooq.conf.BackslashEscaping;
import org.jooq.conf.RenderKeywordCase;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.RenderNameCase;
import org.jooq.conf.RenderQuotedNames;
import org.jooq.conf.Settings;
import org.jooq.conf.SettingsTools;
import org.jooq.conf.StatementType;
import org.jspecify.annotations.Nullable;

/**
 * All that a statement's text depends on in a {@link HostContext}, beside the statement: two with
 * the same have the same text.
 */
public record TextSettings(
    SQLDialect dialect,
    @Nullable RenderMapping mapping,
    @Nullable Boolean schema,
    @Nullable RenderKeywordCase keywordCase,
    @Nullable RenderQuotedNames quotedNames,
    @Nullable RenderNameCase nameCase,
    Locale locale,
    @Nullable BackslashEscaping backslashEscaping) {

  /** Of a context that {@link HostContext} has derived, whose settings nobody changes. */
  public static TextSettings of(Configuration derived) {
    Settings settings = derived.settings();
    return new TextSettings(
        derived.dialect(),
        settings.getRenderMapping(),
        settings.isRenderSchema(),
        settings.getRenderKeywordCase(),
        settings.getRenderQuotedNames(),
        settings.getRenderNameCase(),
        SettingsTools.renderLocale(settings),
        settings.getBackslashEscaping());
  }

  /**
   * Whether a text may be kept: not if a visit listener is to see each rendering and may change it,
   * if values are to be in it, or if its layout depends on them.
   */
  public static boolean mayBeKept(Configuration derived) {
    Settings settings = derived.settings();
    return derived.visitListenerProviders().length == 0
        && settings.getStatementType() == StatementType.PREPARED_STATEMENT
        && !Boolean.TRUE.equals(settings.isRenderFormatted());
  }
}
