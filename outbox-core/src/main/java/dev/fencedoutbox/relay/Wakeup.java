package dev.fencedoutbox.relay;

import dev.fencedoutbox.internal.Callbacks;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.EnqueueListener;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jooq.DSLContext;
import org.jooq.TransactionContext;
import org.jooq.TransactionListener;
import org.jspecify.annotations.Nullable;

/**
 * Wakes the relays of this JVM when a transaction that enqueued for them has committed.
 *
 * <pre>{@code
 * Wakeup wakeup = new Wakeup();
 * DSLContext dsl = DSL.using(configuration.derive(wakeup)); // told of its transactions
 * Outbox outbox = Outbox.create().telling(wakeup);          // told of what they enqueue
 * Relay relay = Relay.from(dataSource).wakenBy(wakeup)...start();
 * }</pre>
 *
 * <p>That is for transactions of jOOQ's own, {@code dsl.transaction(...)}: what a transaction
 * enqueued is woken up for when the outermost one has ended well; what a nested one enqueued that
 * was rolled back is forgotten. Under another transaction manager do not derive; call {@link
 * #committed} after its commit instead, which an {@link EnqueueListener} of the host's can arrange.
 *
 * <p>A commit that fails is not told from one that succeeds, and wakes as well; a wake-up for
 * nothing costs one poll. Any number of channels, of relays and of outboxes. Thread-safe.
 */
public final class Wakeup
    implements EnqueueListener, TransactionListener, CommitListener, WakeupSource {

  private final Callbacks<Channel> relays = new Callbacks<>();
  private final List<CommitListener> others = new CopyOnWriteArrayList<>();

  /** Under it a transaction's configuration, and those derived from it, hold what is open. */
  private final Object inConfiguration = new Object();

  /** For enqueues on a context that is bound to the thread and not to the transaction. */
  @SuppressWarnings("ThreadLocalUsage") // two of these in one JVM must not see each other
  private final ThreadLocal<@Nullable OpenTransaction> inThread = new ThreadLocal<>();

  /** Nobody is woken yet. */
  public Wakeup() {}

  @Override
  public Listening listen(Channel channel, Runnable wake) {
    return relays.add(channel, wake)::run;
  }

  /** Tells another as well, such as one who wakes relays elsewhere; returns this. */
  public Wakeup telling(CommitListener other) {
    others.add(other);
    return this;
  }

  /** Wakes the relays of these channels. */
  public void committed(Channel... channels) {
    committed(Set.copyOf(List.of(channels)));
  }

  /** Wakes the relays of these channels. */
  @Override
  public void committed(Set<Channel> channels) {
    channels.forEach(relays::call);
    others.forEach(other -> other.committed(channels));
  }

  @Override
  public void enqueued(DSLContext tx, Set<Channel> channels) {
    OpenTransaction open = (OpenTransaction) tx.configuration().data(inConfiguration);
    if (open == null) {
      open = inThread.get();
    }
    if (open != null) {
      open.add(channels);
    }
  }

  @Override
  public void beginStart(TransactionContext ctx) {
    // jOOQ derives a configuration for each transaction, nested ones from the one around them
    OpenTransaction outer = (OpenTransaction) ctx.configuration().data(inConfiguration);
    OpenTransaction open = new OpenTransaction(outer);
    ctx.configuration().data(inConfiguration, open);
    inThread.set(open);
  }

  @Override
  public void commitEnd(TransactionContext ctx) {
    OpenTransaction ended = end(ctx);
    if (ended == null) {
      return;
    }
    Set<Channel> channels = ended.channels();
    OpenTransaction outer = ended.outer();
    if (outer != null) {
      outer.add(channels);
    } else if (!channels.isEmpty()) {
      committed(channels);
    }
  }

  @Override
  public void rollbackEnd(TransactionContext ctx) {
    end(ctx);
  }

  /** The transaction that ends, unless it had ended before: a failed commit is also rolled back. */
  private @Nullable OpenTransaction end(TransactionContext ctx) {
    OpenTransaction open = (OpenTransaction) ctx.configuration().data(inConfiguration);
    if (open == null || !open.end()) {
      return null;
    }
    OpenTransaction outer = open.outer();
    if (outer == null) {
      inThread.remove();
    } else {
      inThread.set(outer);
    }
    return open;
  }
}
