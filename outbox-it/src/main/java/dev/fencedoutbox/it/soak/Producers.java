package dev.fencedoutbox.it.soak;

import dev.fencedoutbox.it.process.Waiting;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jooq.DSLContext;
import org.jooq.JSONB;

/**
 * Enqueue from several threads, with and without ordering keys, one message or several at a time;
 * some transactions roll back, some commit late.
 */
final class Producers {

  private static final int PER_CENT_ROLLED_BACK = 8;
  private static final int PER_CENT_SLOW = 4;
  private static final int PER_CENT_KEYED = 60;
  private static final int PER_CENT_REPEATABLE_READ = 20;
  private static final int MOST_AT_ONCE = 5;
  private static final int KEYS = 24;
  private static final int HOT_KEYS = 3;
  private static final int LONGEST_COMMIT_MILLIS = 300;
  private static final Duration PAUSE = Duration.ofMillis(20);

  /** Thrown to roll back. */
  private static final class Undone extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final DSLContext dsl;
  private final Outbox outbox = Outbox.create();
  private final BooleanSupplier isEnough;
  private final Queue<Said> said = new ConcurrentLinkedQueue<>();
  private final Map<String, AtomicLong> positions = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicInteger rolledBack = new AtomicInteger();
  private final List<String> problems = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  /**
   * @param isEnough whether to wait, since so much is waiting already
   */
  Producers(DSLContext dsl, BooleanSupplier isEnough) {
    this.dsl = dsl;
    this.isEnough = isEnough;
  }

  void start(int count, long seed) {
    for (int i = 1; i <= count; i++) {
      Random random = new Random(seed * 31 + i);
      Thread thread = new Thread(() -> produce(random), "producer " + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
  }

  void stop() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join(Waiting.PATIENCE.toMillis());
    }
  }

  /** What was committed. */
  List<Said> said() {
    return List.copyOf(said);
  }

  int saidCount() {
    return said.size();
  }

  int rolledBack() {
    return rolledBack.get();
  }

  synchronized List<String> problems() {
    return List.copyOf(problems);
  }

  private synchronized void problem(String what) {
    problems.add(what);
  }

  private void produce(Random random) {
    try {
      while (!stopped) {
        if (isEnough.getAsBoolean()) {
          Waiting.pause(PAUSE);
        } else {
          transact(random);
        }
      }
    } catch (RuntimeException e) {
      problem("A producer failed: " + e);
    }
  }

  private void transact(Random random) {
    List<Said> within = new ArrayList<>();
    try {
      dsl.transaction(
          tx -> {
            if (happens(random, PER_CENT_REPEATABLE_READ)) {
              tx.dsl().execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            }
            within.addAll(say(tx.dsl(), drafts(random)));
            if (happens(random, PER_CENT_SLOW)) {
              Waiting.pause(Duration.ofMillis(random.nextInt(LONGEST_COMMIT_MILLIS)));
            }
            if (happens(random, PER_CENT_ROLLED_BACK)) {
              throw new Undone();
            }
          });
      said.addAll(within);
    } catch (Undone e) {
      rolledBack.addAndGet(within.size());
    }
  }

  /** Event ids and ordering keys; the positions come when they are enqueued. */
  private List<Said> drafts(Random random) {
    int count = random.nextInt(10) < 7 ? 1 : 1 + random.nextInt(MOST_AT_ONCE);
    List<Said> drafts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String eventId = "e" + numbers.incrementAndGet();
      drafts.add(new Said(eventId, happens(random, PER_CENT_KEYED) ? key(random) : null, 0));
    }
    return drafts;
  }

  /** Half of them on a few hot keys. */
  private static String key(Random random) {
    return "k" + (random.nextBoolean() ? random.nextInt(HOT_KEYS) : random.nextInt(KEYS));
  }

  /**
   * A key's lock is held from its enqueue to the commit, so a number drawn in between says which
   * commit came first.
   */
  private List<Said> say(DSLContext tx, List<Said> drafts) {
    for (EnqueueOutcome outcome :
        outbox.enqueueAll(tx, drafts.stream().map(Producers::message).toList())) {
      if (outcome != EnqueueOutcome.CREATED) {
        throw new IllegalStateException("A message of a new event id is a " + outcome);
      }
    }
    return drafts.stream().map(this::numbered).toList();
  }

  private static Message message(Said draft) {
    Message message =
        SoakTopic.TOPIC
            .message(JSONB.valueOf("{\"text\": \"something\"}"))
            .eventId(draft.eventId())
            .channels(SoakTopic.CHANNEL);
    return draft.orderingKey() == null ? message : message.orderingKey(draft.orderingKey());
  }

  private Said numbered(Said draft) {
    String key = draft.orderingKey();
    return key == null ? draft : new Said(draft.eventId(), key, next(key));
  }

  private long next(String key) {
    return positions.computeIfAbsent(key, unused -> new AtomicLong()).incrementAndGet();
  }

  private static boolean happens(Random random, int perCent) {
    return random.nextInt(100) < perCent;
  }
}
