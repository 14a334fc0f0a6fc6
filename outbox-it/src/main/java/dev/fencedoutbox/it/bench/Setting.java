package dev.fencedoutbox.it.bench;

import java.io.PrintStream;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Where scenarios are measured, and how much.
 *
 * <p>Databases are made when they are first asked for.
 */
final class Setting implements AutoCloseable {

  /** The size of a usual claim, the library's default. */
  static final int BATCH = 100;

  /** A relay with a backlog has three connections at work: two claim, one records. */
  static final int WORKERS_PER_RELAY = 3;

  private final BenchServer server;
  private final PrintStream out;
  private final int messages;
  private final int mostWarmUps;
  private final int rounds;
  private final Deque<BenchDatabase> databases = new ArrayDeque<>();

  Setting(BenchServer server, PrintStream out, int messages, int mostWarmUps, int rounds) {
    this.server = server;
    this.out = out;
    this.messages = messages;
    this.mostWarmUps = mostWarmUps;
    this.rounds = rounds;
  }

  /** Of a usual backlog. */
  int messages() {
    return messages;
  }

  int rounds() {
    return rounds;
  }

  PrintStream out() {
    return out;
  }

  Rounds inTurns() {
    return new Rounds(out, mostWarmUps, rounds);
  }

  /** Where each turn leaves something behind, so that what goes before has to have warmed up. */
  Rounds inTurnsAfterOneWarmUp() {
    return new Rounds(out, 1, rounds);
  }

  /** The database of all that need none of their own. */
  BenchDatabase database() throws SQLException {
    return databases.isEmpty() ? another() : databases.getFirst();
  }

  /** One of its own, that lasts as long as the others. */
  BenchDatabase another() throws SQLException {
    BenchDatabase database = BenchDatabase.create(server.createDatabase("bench"));
    databases.addLast(database);
    return database;
  }

  @Override
  public void close() throws SQLException {
    for (BenchDatabase database : databases) {
      database.close();
    }
  }
}
