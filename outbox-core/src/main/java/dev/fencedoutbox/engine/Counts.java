package dev.fencedoutbox.engine;

/** What an engine has done, and what it holds. */
public record Counts(
    long claimed,
    long reclaimed,
    long done,
    long settled,
    long retried,
    long released,
    long buried,
    long refused,
    long lost,
    long abandoned,
    long failedTransactions,
    int waiting,
    int running,
    int recording) {}
