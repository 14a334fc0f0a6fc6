package dev.fencedoutbox.it.support;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source that a test breaks and mends. */
public final class SwitchableDataSource implements DataSource {

  private final DataSource real;
  private final List<Long> refusedAtNanos = new CopyOnWriteArrayList<>();
  private volatile @Nullable Supplier<? extends Throwable> fault;

  /** One that works. */
  public SwitchableDataSource(DataSource real) {
    this.real = real;
  }

  /** Gives no connections from now on, as if the server were gone. */
  public void breakDown() {
    breakWith(() -> new SQLException("The server is gone", "08006"));
  }

  /** Throws this from now on; unchecked, or an {@link SQLException}. */
  public void breakWith(Supplier<? extends Throwable> thrown) {
    fault = thrown;
  }

  /** Works again. */
  public void mend() {
    fault = null;
  }

  /** When it refused, by {@link System#nanoTime()}. */
  public List<Long> refusedAtNanos() {
    return List.copyOf(refusedAtNanos);
  }

  @Override
  public Connection getConnection() throws SQLException {
    Supplier<? extends Throwable> thrown = fault;
    if (thrown == null) {
      return real.getConnection();
    }
    refusedAtNanos.add(System.nanoTime());
    throw SwitchableDataSource.<SQLException>unchecked(thrown.get());
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // thrown as it is
  private static <E extends Throwable> E unchecked(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return real.getConnection(user, password);
  }

  @Override
  public @Nullable PrintWriter getLogWriter() throws SQLException {
    return real.getLogWriter();
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
    real.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    real.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return real.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return real.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return real.isWrapperFor(type);
  }
}
