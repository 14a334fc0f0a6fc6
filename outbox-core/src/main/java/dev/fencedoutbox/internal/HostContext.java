package dev.fencedoutbox.internal;

import java.sql.SQLException;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.RenderNameCase;
import org.jooq.conf.RenderQuotedNames;
import org.jooq.conf.Settings;
import org.jooq.conf.SettingsTools;
import org.jooq.exception.DataAccessException;

/**
 * The library's manners inside a host: each call runs on the caller's own configuration, with the
 * caller's connection, transaction, listeners and providers, under settings that take over from the
 * caller only what cannot change the meaning of a statement. No transaction is ever opened on it.
 */
public final class HostContext {

  private HostContext() {}

  /**
   * The caller's context under settings of the library's own.
   *
   * @throws IllegalArgumentException if the caller's dialect is not PostgreSQL
   */
  public static DSLContext of(DSLContext caller) {
    return derive(caller, Boolean.TRUE.equals(caller.settings().isExecuteLogging()));
  }

  /** As {@link #of}, with jOOQ's own statement logging off, so that no payload reaches a log. */
  public static DSLContext withoutLogging(DSLContext caller) {
    return derive(caller, false);
  }

  /**
   * The caller's context, known to be inside a transaction.
   *
   * @throws IllegalStateException if each statement would commit by itself
   */
  public static void requireTransaction(DSLContext caller, String call, String remedy) {
    if (autoCommits(caller)) {
      throw new IllegalStateException(
          call
              + " was called outside a transaction: the connection is in auto-commit mode, so it"
              + " would commit by itself, apart from what it belongs to. Nothing was written. Call it inside your transaction (dsl.transaction(tx -> ... tx.dsl() ...))"
              + " with that transaction's DSLContext, "
              + remedy);
    }
  }

  private static boolean autoCommits(DSLContext caller) {
    return caller.connectionResult(
        connection -> {
          try {
            return connection.getAutoCommit();
          } catch (SQLException e) {
            throw new DataAccessException(
                "Could not ask the connection for its auto-commit mode", e);
          }
        });
  }

  private static DSLContext derive(DSLContext caller, boolean executeLogging) {
    requirePostgres(caller.dialect());
    Settings derived = settings(caller.settings()).withExecuteLogging(executeLogging);
    return caller.configuration().derive(derived).dsl();
  }

  private static void requirePostgres(SQLDialect dialect) {
    if (dialect.family() != SQLDialect.POSTGRES) {
      throw new IllegalArgumentException(
          "This DSLContext renders for "
              + dialect
              + ", and the library speaks PostgreSQL only. Nothing was sent. Build it with"
              + " DSL.using(..., SQLDialect.POSTGRES).");
    }
  }

  /** An allow-list: what is not named here has the library's value, whatever the host has set. */
  private static Settings settings(Settings host) {
    Settings own = new Settings();
    if (host.getRenderMapping() != null) {
      own.withRenderMapping(SettingsTools.clone(host).getRenderMapping());
    }
    return own.withRenderSchema(host.isRenderSchema())
        .withRenderFormatted(host.isRenderFormatted())
        .withRenderKeywordCase(host.getRenderKeywordCase())
        .withRenderQuotedNames(host.getRenderQuotedNames())
        .withRenderNameCase(nameCase(host))
        .withRenderLocale(host.getRenderLocale())
        .withBackslashEscaping(host.getBackslashEscaping())
        .withBindOffsetDateTimeType(host.isBindOffsetDateTimeType())
        .withStatementType(host.getStatementType())
        .withQueryTimeout(host.getQueryTimeout());
  }

  /** Quoted upper-case names would name other objects; unquoted ones are folded by the database. */
  private static RenderNameCase nameCase(Settings host) {
    boolean unquoted =
        host.getRenderQuotedNames() == RenderQuotedNames.NEVER
            || host.getRenderQuotedNames() == RenderQuotedNames.EXPLICIT_DEFAULT_UNQUOTED;
    return unquoted ? host.getRenderNameCase() : RenderNameCase.AS_IS;
  }
}
