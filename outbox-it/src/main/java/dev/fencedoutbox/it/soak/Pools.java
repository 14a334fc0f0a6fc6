package dev.fencedoutbox.it.soak;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** Pools whose connections can be told apart on the server. */
final class Pools {

  private static final int GIVES_UP_AFTER_MILLIS = 1_000;

  private Pools() {}

  static HikariDataSource of(String url, String applicationName, int most) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.addDataSourceProperty("ApplicationName", applicationName);
    config.setMaximumPoolSize(most);
    return new HikariDataSource(config);
  }

  /** One that says soon that it has no connection. */
  static HikariDataSource impatient(String url, String applicationName, int most) {
    HikariDataSource pool = of(url, applicationName, most);
    pool.setConnectionTimeout(GIVES_UP_AFTER_MILLIS);
    return pool;
  }

  /** The application name of a relay's own connections, which are terminated now and then. */
  static String ofRelay(String process) {
    return "soak relay " + process;
  }
}
