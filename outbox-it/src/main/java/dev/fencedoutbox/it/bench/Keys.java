package dev.fencedoutbox.it.bench;

/** How the messages of a backlog are spread over ordering keys. */
enum Keys {
  NONE("no key", "null"),
  ONE("one hot key", "'hot'"),
  THOUSAND("1,000 keys", "'key ' || n % 1000"),
  EACH("a key each", "'key ' || n");

  private final String label;
  private final String sql;

  Keys(String label, String sql) {
    this.label = label;
    this.sql = sql;
  }

  String label() {
    return label;
  }

  /** An expression over {@code n}, the message's number. */
  String sql() {
    return sql;
  }
}
