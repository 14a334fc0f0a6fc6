package dev.fencedoutbox.relay;

import static dev.fencedoutbox.schema.Tables.DELIVERY;

import dev.fencedoutbox.engine.Engine;
import dev.fencedoutbox.engine.EngineThreads;
import dev.fencedoutbox.engine.OwnTransactions;
import dev.fencedoutbox.engine.Workers;
import dev.fencedoutbox.internal.CheckReturnValue;
import dev.fencedoutbox.internal.Texts;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.outbox.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jooq.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Puts a {@link Relay} together. Bad values are refused before anything is started.
 *
 * <p>For one thread.
 */
@CheckReturnValue
public final class RelayBuilder {

  private final DataSource dataSource;
  private final List<WakeupSource> wakeups = new ArrayList<>();
  private Configuration jooq = OwnTransactions.usualConfiguration();
  private Channel channel = Channel.DEFAULT;
  private String name = "relay-%08x".formatted(ThreadLocalRandom.current().nextInt());
  private Outbox outbox = Outbox.create();
  private RelayOptions options = RelayOptions.defaults();
  private Routes routes = Routes.none();
  private DeliveryInterceptor interceptor = (attempts, next) -> next.proceed();
  private LongSupplier nanoClock = System::nanoTime;
  private @Nullable Executor executor;

  RelayBuilder(DataSource dataSource) {
    this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
  }

  /** The channel to serve; by default {@link Channel#DEFAULT}. */
  public RelayBuilder channel(String served) {
    return channel(Channel.of(served));
  }

  /** The channel to serve; by default {@link Channel#DEFAULT}. */
  public RelayBuilder channel(Channel served) {
    channel = Objects.requireNonNull(served, "channel");
    return this;
  }

  /** The name in leases, logs and threads, for people; it proves nothing. */
  public RelayBuilder name(String forPeople) {
    name = Texts.requireName("A relay's name", forPeople);
    return this;
  }

  /** The outbox, if it is not {@link Outbox#create()}, such as one without receipts. */
  public RelayBuilder outbox(Outbox other) {
    outbox = Objects.requireNonNull(other, "outbox");
    return this;
  }

  /**
   * Settings and listeners for the relay's statements; the configuration's connections are not
   * used.
   */
  public RelayBuilder jooq(Configuration configuration) {
    jooq = Objects.requireNonNull(configuration, "configuration");
    return this;
  }

  /** How it works, if not by {@link RelayOptions#defaults()}. */
  public RelayBuilder options(RelayOptions other) {
    options = Objects.requireNonNull(other, "options");
    return this;
  }

  /** Delivers a topic; to return is to have delivered, to throw is to try again later. */
  public <T> RelayBuilder on(Topic<T> topic, Handler<T> handler) {
    routes = routes.with(topic, Route.plain(topic::payloadOf, handler));
    return this;
  }

  /** Delivers a topic; the handler says what became of it. */
  public <T> RelayBuilder onDeciding(Topic<T> topic, DecidingHandler<T> handler) {
    routes = routes.with(topic, Route.single(topic::payloadOf, handler));
    return this;
  }

  /** Delivers a topic in batches of what waits, up to {@code mostAtOnce}, 1 to 10,000. */
  public <T> RelayBuilder onBatch(Topic<T> topic, int mostAtOnce, BatchHandler<T> handler) {
    routes = routes.with(topic, Route.batch(batchSize(mostAtOnce), topic::payloadOf, handler));
    return this;
  }

  /** Delivers every topic that has no handler of its own. */
  public RelayBuilder onAnyTopic(DecidingHandler<Delivery> handler) {
    routes = routes.withAny(Route.single(Function.identity(), handler));
    return this;
  }

  /** The same in batches of what waits, up to {@code mostAtOnce}, 1 to 10,000. */
  public RelayBuilder onAnyTopicInBatches(int mostAtOnce, BatchHandler<Delivery> handler) {
    routes = routes.withAny(Route.batch(batchSize(mostAtOnce), Function.identity(), handler));
    return this;
  }

  private static int batchSize(int mostAtOnce) {
    if (mostAtOnce < 1 || mostAtOnce > 10_000) {
      throw new IllegalArgumentException(
          "A batch handler takes 1 to 10,000 messages at once and was given the bound %d. Nothing was started."
              .formatted(mostAtOnce));
    }
    return mostAtOnce;
  }

  /** The attempts of one topic's deliveries, if not the options' budget; 1 or more. */
  public RelayBuilder attemptBudget(Topic<?> topic, int attempts) {
    if (attempts < 1) {
      throw new IllegalArgumentException(
          "The attempt budget of topic %s must be 1 or more and is %d. Nothing was started."
              .formatted(topic, attempts));
    }
    routes = routes.withBudget(topic, attempts);
    return this;
  }

  /**
   * Runs handlers on the host's threads, virtual ones as well; the host ends it after the relay.
   */
  public RelayBuilder executor(Executor hosts) {
    executor = Objects.requireNonNull(hosts, "executor");
    return this;
  }

  /** Wakes the relay between its polls; may be given more than once. */
  public RelayBuilder wakenBy(WakeupSource source) {
    wakeups.add(Objects.requireNonNull(source, "source"));
    return this;
  }

  /** Stands around each call of a handler; the one that was given last stands outermost. */
  public RelayBuilder intercept(DeliveryInterceptor outer) {
    Objects.requireNonNull(outer, "interceptor");
    DeliveryInterceptor inner = interceptor;
    interceptor = (attempts, next) -> outer.around(attempts, () -> inner.around(attempts, next));
    return this;
  }

  /** Another monotonic clock for leases and handlers; for tests. */
  public RelayBuilder nanoClock(LongSupplier clock) {
    nanoClock = Objects.requireNonNull(clock, "clock");
    return this;
  }

  /**
   * Starts it. If the database cannot be reached, it is started all the same and begins when it
   * can.
   *
   * @throws IllegalStateException if it has no handler, if a {@link TimeBound} handler may outlast
   *     a lease, or if the database does not have the tables
   */
  public Relay start() {
    Engine.Parts<DeliveryWork> parts = parts();
    boolean reached = parts.database().isReady(name, DELIVERY);
    Workers workers = Workers.of(executor, name);
    Engine<DeliveryWork> engine = new Engine<>(parts, workers.executor());
    Listeners listeners = Listeners.to(wakeups, channel, engine::wakeUp);
    EngineThreads threads =
        new EngineThreads(
            name,
            engine,
            parts,
            () -> {
              listeners.close();
              workers.end();
            });
    threads.start(reached);
    return new Relay(name, channel, engine, threads, options.pacing().closeTimeout());
  }

  /**
   * The same relay without threads: the caller takes each step. For tests of a host's own.
   *
   * @throws IllegalStateException if it has no handler, or if a {@link TimeBound} handler may
   *     outlast a lease
   */
  public SteppedRelay stepByStep() {
    return new SteppedRelay(new Engine<>(parts(), Runnable::run));
  }

  private Engine.Parts<DeliveryWork> parts() {
    if (routes.isEmpty()) {
      throw new IllegalStateException(
          "A relay needs a handler and has none. Nothing was started. Give it one with on(topic, handler).");
    }
    routes.requireShorterThan(options.terms().leaseFor());
    OwnTransactions database = new OwnTransactions(dataSource, jooq, options.terms().leaseFor());
    Leases leases = Leases.ownedBy(name).withNanoClock(nanoClock);
    int budget = routes.largestBudget(options.terms().attemptBudget());
    Deliveries deliveries =
        new Deliveries(
            new Claimer(database, leases, outbox, channel, options, budget, nanoClock),
            routes,
            options,
            interceptor,
            new RecordStatements(leases, outbox.deliveries(channel), options));
    return new Engine.Parts<>(database, leases, deliveries, options.forEngine(), nanoClock);
  }
}
