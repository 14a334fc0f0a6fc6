package dev.fencedoutbox.it.mutants;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL's driver, which lets somebody read and change the text of each statement that is
 * prepared. Whoever opens a connection in this JVM gets one of it, once it is installed.
 */
final class Wire implements Driver {

  private static final Set<String> SENDING =
      Set.of("prepareStatement", "execute", "executeQuery", "executeUpdate");

  private final org.postgresql.Driver driver = new org.postgresql.Driver();
  private final UnaryOperator<String> reader;

  Wire(UnaryOperator<String> reader) {
    this.reader = reader;
  }

  /** Puts it in the place of the driver. */
  void install() {
    try {
      org.postgresql.Driver.deregister();
      DriverManager.registerDriver(this);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public @Nullable Connection connect(String url, Properties info) throws SQLException {
    Properties limited = new Properties();
    info.stringPropertyNames().forEach(name -> limited.put(name, info.getProperty(name)));
    TimeLimits.addTo(limited, url);
    Connection connection = driver.connect(url, limited);
    return connection == null ? null : read(Connection.class, connection);
  }

  private <T extends AutoCloseable> T read(Class<T> type, T connectionOrStatement) {
    Object proxy =
        Proxy.newProxyInstance(
            Wire.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              if (SENDING.contains(method.getName()) && arguments != null && arguments.length > 0) {
                arguments[0] = reader.apply((String) arguments[0]);
              }
              Object result = call(connectionOrStatement, method, arguments);
              return result instanceof Statement statement
                      && method.getName().equals("createStatement")
                  ? read(Statement.class, statement)
                  : result;
            });
    return type.cast(proxy);
  }

  private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  @Override
  public boolean acceptsURL(String url) {
    return driver.acceptsURL(url);
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
    return driver.getPropertyInfo(url, info);
  }

  @Override
  public int getMajorVersion() {
    return driver.getMajorVersion();
  }

  @Override
  public int getMinorVersion() {
    return driver.getMinorVersion();
  }

  @Override
  public boolean jdbcCompliant() {
    return driver.jdbcCompliant();
  }

  @Override
  public Logger getParentLogger() {
    return driver.getParentLogger();
  }
}
