package dev.fencedoutbox.job;

import static dev.fencedoutbox.schema.Tables.JOB;

import dev.fencedoutbox.internal.CheckReturnValue;
import dev.fencedoutbox.internal.HostContext;
import dev.fencedoutbox.internal.Texts;
import dev.fencedoutbox.lease.Effect;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Finished;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.ResultColumn;
import dev.fencedoutbox.schema.enums.JobStatus;
import dev.fencedoutbox.schema.tables.records.JobRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.Record1;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of one kind: long work with a result, submitted in the transaction of the business
 * change, claimed with {@link Leases}, and finished under the lease.
 *
 * <pre>{@code
 * static final Jobs<Scene, Progress, Picture> RENDERS = Jobs.of(RENDER);
 *
 * RENDERS.submit(tx.dsl(), RENDER.job(scene).key("order-17"));           // whoever wants it
 *
 * Claims<Long, JobView<Scene, Progress, Picture>> claims =               // whoever does it
 *     leases.claim(dsl, RENDERS.table(), terms, 1);
 * RENDERS.checkpoint(dsl, lease, new Progress(50));
 * switch (RENDERS.finish(dsl, lease, picture, storing(picture))) {
 *   case APPLIED, DUPLICATE -> log.info("done");
 *   case FENCED -> log.info("another worker has it; this result must not be saved");
 * }
 * }</pre>
 *
 * <p><b>Guarantee.</b> A job exists if and only if the submitter's transaction commits, once for
 * each key. It is handed out until it is finished, buried or cancelled; its checkpoints and its
 * result, the effect and the messages that belong to the result, are accepted from the latest claim
 * alone, and only while its lease lives. What a late worker does outside this database cannot be
 * taken back; put a {@link DeliveryIntent} in its place.
 *
 * <p><b>Transactions.</b> Each call runs on the caller's context, inside the caller's transaction
 * if there is one, and never begins, commits or rolls back anything. Each is one statement; a
 * duplicate, a refusal, and a job that is not there cost another, which reads what is there, and
 * messages cost one more. Isolation and errors as in {@link Leases}.
 *
 * <p>Immutable and thread-safe.
 *
 * <p>Source: article 002.
 *
 * @param <I> the type of the input
 * @param <C> the type of the checkpoints
 * @param <R> the type of the result
 */
@CheckReturnValue
public final class Jobs<I, C, R> {

  /** How often a job is looked for that others create or delete at the same time. */
  private static final int TRIES = 10;

  /** For writes under leases; only claims note an owner. */
  private static final Leases WRITES = Leases.ownedBy("jobs");

  private static final LeaseTable<Long, JobRecord> ALL =
      LeaseTable.of(JOB, JOB.ID)
          .epoch(JOB.EPOCH)
          .attempts(JOB.ATTEMPTS)
          .leaseUntil(JOB.LEASE_UNTIL)
          .status(JOB.STATUS, JobStatus.READY, JobStatus.INPROGRESS, JobStatus.DEAD)
          .completedAs(JobStatus.DONE)
          .completedAt(JOB.ENDED_AT)
          .dueAt(JOB.NEXT_ATTEMPT_AT)
          .owner(JOB.LEASE_OWNER)
          .lastError(JOB.LAST_ERROR)
          .exposing(JOB.EPOCH, JOB.ATTEMPTS, JOB.KIND, JOB.JOB_KEY);

  private final JobKind<I, C, R> kind;
  private final boolean payloadLog;
  private final boolean transactionRequired;
  private final JobSql sql;
  private final LeaseTable<Long, JobView<I, C, R>> table;
  private final ResultColumn<Long, JSONB> results;

  private Jobs(JobKind<I, C, R> kind, boolean payloadLog, boolean transactionRequired) {
    this.kind = kind;
    this.payloadLog = payloadLog;
    this.transactionRequired = transactionRequired;
    this.sql = new JobSql(kind.name());
    LeaseTable<Long, JobView<I, C, R>> ofKind =
        ALL.where(sql.ofKind().and(JobSql.NOT_ENDED))
            .handingOut(JobView.FIELDS, row -> new JobView<>(kind, row));
    this.table = payloadLog ? ofKind : ofKind.withoutStatementLog();
    this.results = ResultColumn.of(table, JOB.RESULT);
  }

  /** The jobs of that kind; submissions outside a transaction are refused. */
  public static <I, C, R> Jobs<I, C, R> of(JobKind<I, C, R> kind) {
    return new Jobs<>(kind, true, true);
  }

  /** The same, whose statements stay out of jOOQ's own DEBUG log, and inputs and results too. */
  public Jobs<I, C, R> withoutPayloadLog() {
    return new Jobs<>(kind, false, transactionRequired);
  }

  /**
   * The same, which also submits outside a transaction, where each submission commits by itself:
   * for jobs that belong to no business change.
   */
  public Jobs<I, C, R> withoutTransactionCheck() {
    return new Jobs<>(kind, payloadLog, false);
  }

  /** The kind. */
  public JobKind<I, C, R> kind() {
    return kind;
  }

  /**
   * Stores the job as part of the caller's transaction, unless there is one of its key.
   *
   * <p>If another transaction has submitted the same key and is still open, this waits for its end:
   * DUPLICATE if it commits, CREATED if it rolls back.
   *
   * @param tx the transaction's own context
   * @throws IllegalStateException outside a transaction, unless {@link #withoutTransactionCheck}.
   *     Told by the connection's auto-commit mode, so a pool that hands out connections with
   *     auto-commit off cannot be told from a transaction
   * @throws IllegalArgumentException if it is of another kind, or the dialect is not PostgreSQL
   */
  public Submitted submit(DSLContext tx, NewJob job) {
    return submitAll(tx, List.of(job)).get(0);
  }

  /**
   * Stores many jobs by one statement; outcomes in the order of {@code jobs}. Of two under one key,
   * the first is stored. No job: no statement. Those of one call that are due at once are claimed
   * in the order of their keys.
   *
   * <p>Two such calls cannot deadlock with each other. Several calls in one transaction can, with
   * another transaction that submits the same keys in another order: prefer one call.
   */
  public List<Submitted> submitAll(DSLContext tx, Collection<NewJob> jobs) {
    jobs.forEach(this::requireKind);
    if (jobs.isEmpty()) {
      return List.of();
    }
    if (transactionRequired) {
      HostContext.requireTransaction(
          tx, "Jobs.submit", "or allow it with Jobs.withoutTransactionCheck().");
    }
    Map<String, NewJob> byKey = new LinkedHashMap<>();
    jobs.forEach(job -> byKey.putIfAbsent(job.key(), job));
    Map<String, Long> created = new HashMap<>();
    Map<String, Long> ids = storedOrFound(context(tx), byKey, created);
    List<Submitted> outcomes = new ArrayList<>(jobs.size());
    for (NewJob job : jobs) {
      // Removed once told, so that a second one of the same key is a duplicate
      boolean isNew = created.remove(job.key()) != null;
      outcomes.add(
          new Submitted(
              Objects.requireNonNull(ids.get(job.key())),
              job.key(),
              isNew ? SubmitOutcome.CREATED : SubmitOutcome.DUPLICATE));
    }
    return outcomes;
  }

  /** The ids of all, and in {@code created} of those that are new. */
  private Map<String, Long> storedOrFound(
      DSLContext context, Map<String, NewJob> byKey, Map<String, Long> created) {
    Map<String, Long> ids = new HashMap<>();
    Map<String, NewJob> open = new LinkedHashMap<>(byKey);
    for (int tries = 0; !open.isEmpty(); tries++) {
      if (tries == TRIES) {
        throw new IllegalStateException(
            "Jobs of kind %s can neither be submitted, since their keys are taken, nor be found: %s. Does a policy or a trigger hide rows of outbox.job?"
                .formatted(kind, open.keySet()));
      }
      context
          .fetch(sql.submit(List.copyOf(open.values())))
          .forEach(row -> created.put(row.value1(), row.value2()));
      ids.putAll(created);
      open.keySet().removeAll(created.keySet());
      if (!open.isEmpty()) {
        // One that was deleted in between is tried again
        context.fetch(sql.ids(open.keySet())).forEach(row -> ids.put(row.value1(), row.value2()));
        open.keySet().removeAll(ids.keySet());
      }
    }
    return ids;
  }

  private void requireKind(NewJob job) {
    if (!job.kind().name().equals(kind.name())) {
      throw new IllegalArgumentException(
          "The %s cannot be submitted to those of kind %s. Nothing was sent. Submit it to Jobs.of its own kind."
              .formatted(job, kind));
    }
  }

  /**
   * The jobs as a table to lease, for {@link Leases}: {@code claim} hands out the oldest due ones,
   * {@code claimByKey} the one of an id; {@code renew}, {@code retry}, {@code release} and {@code
   * bury} are under the lease. {@code complete} finishes without a result.
   */
  public LeaseTable<Long, JobView<I, C, R>> table() {
    return table;
  }

  /**
   * Notes how far the work has come, in place of what was noted before, for whoever goes on with
   * it; the claim goes on.
   *
   * @throws IllegalArgumentException if the job is of another kind, or the checkpoint is null,
   *     converts to null, or cannot be stored
   */
  public LeaseOutcome checkpoint(DSLContext dsl, Lease<Long> lease, C reached) {
    requireOwn(lease);
    JSONB json = kind.writtenCheckpoint(reached);
    if (json == null) {
      throw new IllegalArgumentException(
          "The checkpoint of a job of kind %s is null or converts to null. Nothing was sent."
              .formatted(kind));
    }
    return WRITES.checkpoint(dsl, lease, JOB.CHECKPOINT, json);
  }

  private void requireOwn(Lease<Long> lease) {
    if (!table.describes(lease)) {
      throw new IllegalArgumentException(
          "The %s is not on a job of kind %s. Nothing was sent. Use Jobs.of the kind it was claimed by."
              .formatted(lease, kind));
    }
  }

  /**
   * The job is DONE, with its result.
   *
   * @param result null if there is none
   */
  public LeaseOutcome finish(DSLContext dsl, Lease<Long> lease, @Nullable R result) {
    return results.complete(dsl, stored(new Finished<>(lease, result)));
  }

  /** Finishes many jobs by one statement; outcomes in the order of {@code finished}. */
  public List<LeaseOutcome> finishAll(DSLContext dsl, Collection<Finished<Long, R>> finished) {
    return results.completeAll(dsl, finished.stream().map(this::stored).toList());
  }

  /**
   * The job is DONE, with its result, and {@code effect} is written to the application's own
   * tables, in one statement: all or nothing.
   *
   * @param result null if there is none
   */
  public EffectOutcome finish(
      DSLContext dsl, Lease<Long> lease, @Nullable R result, Effect<Long> effect) {
    return results.finish(dsl, stored(new Finished<>(lease, result)), effect);
  }

  /**
   * The job is DONE, with its result, and the messages of {@code intent} are enqueued, with its
   * effect if it has one, all in the caller's transaction. The guard comes first; where it refuses,
   * nothing is written and nothing enqueued: roll back whatever else the transaction did.
   *
   * @param tx the transaction's own context
   * @param result null if there is none
   * @return FENCED if the lease did not hold. Otherwise the job is done: DUPLICATE if the effect
   *     wrote no row, or, without an effect, if all events were enqueued before
   * @throws IllegalStateException outside a transaction, where the job would be done before its
   *     messages are stored
   */
  public EffectOutcome finish(
      DSLContext tx, Lease<Long> lease, @Nullable R result, DeliveryIntent intent) {
    HostContext.requireTransaction(
        tx, "Jobs.finish with messages", "which the messages share with the result.");
    @Nullable Effect<Long> effect = intent.effect();
    if (effect == null) {
      if (!finish(tx, lease, result).accepted()) {
        return EffectOutcome.FENCED;
      }
      return intent.enqueue(tx) ? EffectOutcome.APPLIED : EffectOutcome.DUPLICATE;
    }
    EffectOutcome outcome = finish(tx, lease, result, effect);
    if (outcome != EffectOutcome.FENCED) {
      boolean unused = intent.enqueue(tx);
    }
    return outcome;
  }

  /** {@link #finishAll} with results as they are stored. */
  List<LeaseOutcome> finishStored(DSLContext dsl, Collection<Finished<Long, JSONB>> finished) {
    return results.completeAll(dsl, finished);
  }

  private Finished<Long, JSONB> stored(Finished<Long, R> finished) {
    return new Finished<>(finished.lease(), kind.written(finished.result()));
  }

  /** The job of that key. */
  public Optional<JobView<I, C, R>> find(DSLContext dsl, String key) {
    return find(dsl, sql.of(Texts.requireName("A job's key", key)));
  }

  /** The job of that id. */
  public Optional<JobView<I, C, R>> find(DSLContext dsl, long id) {
    return find(dsl, sql.of(id));
  }

  private Optional<JobView<I, C, R>> find(DSLContext dsl, Condition which) {
    return context(dsl).fetchOptional(JobSql.read(which)).map(row -> new JobView<>(kind, row));
  }

  /**
   * The job is CANCELLED, unless it has ended: whether it waits, is in progress, or is DEAD. Who
   * works on it finds out at the next renewal or write, which are refused as {@link
   * LeaseOutcome#SETTLED}; nothing of what that worker writes under the lease lands any more. This
   * waits for a write to the job that is under way.
   *
   * @param reason kept with the job; cleaned and cut like the error of a {@code Retry}
   */
  public CancelOutcome cancel(DSLContext dsl, String key, String reason) {
    return cancel(dsl, sql.of(Texts.requireName("A job's key", key)), reason);
  }

  /** The same by the job's id. */
  public CancelOutcome cancel(DSLContext dsl, long id, String reason) {
    return cancel(dsl, sql.of(id), reason);
  }

  private CancelOutcome cancel(DSLContext dsl, Condition which, String reason) {
    DSLContext context = context(dsl);
    for (int tries = 0; tries < TRIES; tries++) {
      if (!context.fetch(JobSql.cancel(which, Texts.cleanError(reason))).isEmpty()) {
        return CancelOutcome.CANCELLED;
      }
      Record1<JobStatus> found = context.fetchOne(JobSql.status(which));
      if (found == null) {
        return CancelOutcome.ABSENT;
      } else if (found.value1() == JobStatus.DONE || found.value1() == JobStatus.CANCELLED) {
        return CancelOutcome.ENDED;
      } // else it was submitted or redriven in between
    }
    throw new IllegalStateException(
        "A job of kind %s can be read and not be cancelled. Nothing was written. Does a policy or a trigger protect it?"
            .formatted(kind));
  }

  /** The DEAD ones, for operators. */
  public DeadJobs<I, C, R> dead() {
    return new DeadJobs<>(this, sql);
  }

  DSLContext context(DSLContext caller) {
    return payloadLog ? HostContext.of(caller) : HostContext.withoutLogging(caller);
  }
}
