package dev.fencedoutbox.it.proofs;

import dev.fencedoutbox.it.support.ApiCall;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.ExecuteListener;
import org.jooq.Query;
import org.jooq.SQLDialect;
import org.jooq.Transaction;
import org.jooq.TransactionContext;
import org.jooq.TransactionProvider;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;

/** Transactions that are rolled back, and what calls send in them. */
final class Undone {

  /** These meet more rows here than the few that other tests give them, and say so. */
  private static final Set<String> MEETS_MORE =
      Set.of(
          "DELIVERY_ROW claim that buries",
          "claimInOrder",
          "purgeInbox",
          "purgeMessages",
          "purgeOperatorActions",
          "replayAll");

  private Undone() {}

  /**
   * Makes the call beside what is due; what it sent, ready to be sent again; then nothing stays.
   */
  static <T> T with(Connection connection, ApiCall call, PlansAtScaleData data, Use<T> use)
      throws SQLException {
    connection.setAutoCommit(false);
    try {
      DSLContext tx = DSL.using(configuration(connection));
      Consumer<DSLContext> prepared = call.preparation().prepare(tx);
      data.addDue(tx);
      Savepoint before = connection.setSavepoint();
      List<Query> sent = send(tx, call, prepared);
      connection.rollback(before);
      return use.of(sent);
    } finally {
      connection.rollback();
    }
  }

  /** What is done with what a call has sent. */
  interface Use<T> {
    T of(List<Query> sent) throws SQLException;
  }

  private static List<Query> send(DSLContext tx, ApiCall call, Consumer<DSLContext> prepared) {
    List<Query> sent = new ArrayList<>();
    DSLContext listening =
        tx.configuration()
            .deriveAppending(ExecuteListener.onExecuteStart(context -> sent.add(context.query())))
            .dsl();
    try {
      prepared.accept(listening);
    } catch (AssertionError e) {
      if (!MEETS_MORE.contains(call.name())) {
        throw e;
      }
    }
    if (sent.size() != call.statements()) {
      throw new AssertionError(call + " sent " + sent);
    }
    return sent;
  }

  /** Transactions inside the one of the connection are savepoints, so that they are undone too. */
  private static Configuration configuration(Connection connection) {
    return new DefaultConfiguration()
        .set(SQLDialect.POSTGRES)
        .set(connection)
        .set(new Savepoints(connection));
  }

  private record Mark(Savepoint savepoint) implements Transaction {}

  private record Savepoints(Connection connection) implements TransactionProvider {

    @Override
    public void begin(TransactionContext context) {
      try {
        context.transaction(new Mark(connection.setSavepoint()));
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void commit(TransactionContext context) {
      // Ends with the outer one
    }

    @Override
    public void rollback(TransactionContext context) {
      try {
        connection.rollback(((Mark) context.transaction()).savepoint());
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
