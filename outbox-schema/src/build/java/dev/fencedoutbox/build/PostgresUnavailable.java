package dev.fencedoutbox.build;

import org.jspecify.annotations.Nullable;

/**
 * No PostgreSQL server can be had in the way that was asked for. The message says what happened and
 * names every other way; it is written to be read without the stack trace.
 */
public final class PostgresUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final String ALTERNATIVES =
      """
      Choose the server for generation and tests with one of
        -Dpostgres=embedded              PostgreSQL from a Maven artifact, the default; -Dpostgres.port=N fixes its port
        -Dpostgres=testcontainers        a container; needs Docker; -Dpostgres.image=NAME, default postgres:18
        -Dpostgres=jdbc:postgresql://HOST:PORT/DATABASE?user=USER&password=PASSWORD
                                         a running server; the user needs CREATEDB, existing databases stay untouched""";

  PostgresUnavailable(String whatHappened, @Nullable Throwable cause) {
    super(whatHappened.strip() + System.lineSeparator() + ALTERNATIVES, cause);
  }

  PostgresUnavailable(String whatHappened) {
    this(whatHappened, null);
  }
}
