package dev.fencedoutbox.engine;

import java.time.Duration;
import java.util.function.IntFunction;

/**
 * How an engine works.
 *
 * @param leaseFor how long a lease lasts unless it is renewed
 * @param concurrency handlers at work at once
 * @param prefetch how much is claimed ahead of that
 * @param claimBatch the most of one claim
 * @param backoff the wait after the failed attempt of that number
 * @param shortestPoll the pause after a claim that was not full
 * @param longestPoll the longest pause when nothing is found
 * @param unhandledPause how long something is put off that nothing here handles
 * @param longestHandling after which a handler is interrupted and its lease is renewed no more
 */
public record Terms(
    Duration leaseFor,
    int concurrency,
    int prefetch,
    int claimBatch,
    IntFunction<Duration> backoff,
    Duration shortestPoll,
    Duration longestPoll,
    Duration unhandledPause,
    Duration longestHandling) {}
