package dev.fencedoutbox.it.support;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Data sources that are not as they should be. */
public final class Sources {

  /** Gives a connection. */
  public interface Giver {
    Connection give() throws SQLException;
  }

  private Sources() {}

  /** One whose connections come from there. */
  public static DataSource of(Giver giver) {
    return proxy(
        DataSource.class,
        (self, method, arguments) -> {
          if (method.getName().equals("getConnection")) {
            return giver.give();
          }
          throw new UnsupportedOperationException(method.getName());
        });
  }

  /**
   * What a pooler in transaction mode does: each statement of a connection goes to a server session
   * of its own choice, and what that session is told without being asked gets lost.
   */
  public static DataSource transactionPooler(DataSource server) {
    return of(
        () -> {
          Connection client = server.getConnection();
          Connection session = server.getConnection();
          return proxy(
              Connection.class,
              (self, method, arguments) -> {
                if (method.getName().equals("close")) {
                  session.close();
                }
                boolean statement =
                    method.getName().equals("createStatement")
                        || method.getName().equals("prepareStatement");
                return call(statement ? session : client, method, arguments);
              });
        });
  }

  /** The same connection, which stays open as that of a pool does. */
  public static Connection uncloseable(Connection connection) {
    return proxy(
        Connection.class,
        (self, method, arguments) ->
            method.getName().equals("close") ? null : call(connection, method, arguments));
  }

  private static @Nullable Object call(
      Connection connection, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(connection, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
