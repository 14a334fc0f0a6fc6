package dev.fencedoutbox.job;

import static dev.fencedoutbox.schema.Tables.JOB;

import dev.fencedoutbox.engine.Answer;
import dev.fencedoutbox.engine.Outcome;
import dev.fencedoutbox.engine.OwnTransactions;
import dev.fencedoutbox.engine.Run;
import dev.fencedoutbox.engine.Step;
import dev.fencedoutbox.engine.Trade;
import dev.fencedoutbox.engine.Tried;
import dev.fencedoutbox.engine.Verdict;
import dev.fencedoutbox.engine.Work;
import dev.fencedoutbox.engine.WorkHandler;
import dev.fencedoutbox.engine.Writes;
import dev.fencedoutbox.lease.ClaimTerms;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.schema.tables.records.JobRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jooq.DSLContext;
import org.jooq.TableField;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a runner works on: the jobs of its kinds, each kind first in turn. */
final class JobTrade implements Trade<JobWork> {

  private static final Logger LOG = LoggerFactory.getLogger(JobTrade.class);

  private static final WorkHandler<JobWork> HANDLER =
      new WorkHandler<>() {
        @Override
        public int mostAtOnce() {
          return 1;
        }

        @Override
        public List<Outcome> handle(List<JobWork> works) throws Exception {
          return List.of(works.get(0).run());
        }
      };

  private final OwnTransactions database;
  private final Leases leases;
  private final List<Desk<?, ?, ?>> desks;
  private final ClaimTerms terms;
  private final LongSupplier nanoClock;
  private final Runnable onRecord;
  private int first;

  JobTrade(
      OwnTransactions database,
      Leases leases,
      List<Desk<?, ?, ?>> desks,
      ClaimTerms terms,
      LongSupplier nanoClock,
      Runnable onRecord) {
    this.database = database;
    this.leases = leases;
    this.desks = List.copyOf(desks);
    this.terms = terms;
    this.nanoClock = nanoClock;
    this.onRecord = onRecord;
  }

  @Override
  public TableField<JobRecord, Long> key() {
    return JOB.ID;
  }

  @Override
  public Tried<Step> claim(int limit, Intake<JobWork> into) {
    first = (first + 1) % desks.size();
    Tried<List<Desk.Brought>> tried = database.attempt(tx -> claimEach(tx, limit));
    if (tried instanceof Tried.Failed<List<Desk.Brought>> failed) {
      return new Tried.Failed<>(failed.fault());
    }
    List<Desk.Brought> brought = ((Tried.Done<List<Desk.Brought>>) tried).value();
    List<JobWork> works =
        brought.stream().flatMap(one -> one.works().apply(nanoClock).stream()).toList();
    int buried = brought.stream().mapToInt(Desk.Brought::buried).sum();
    Step step =
        new Step(
            works.size(),
            (int) works.stream().filter(Work::reclaimed).count(),
            buried,
            works.size() + buried >= limit);
    into.take(step, works.stream().map(Run::single).toList());
    return new Tried.Done<>(step, true);
  }

  private List<Desk.Brought> claimEach(DSLContext tx, int limit) {
    List<Desk.Brought> brought = new ArrayList<>();
    int left = limit;
    for (int i = 0; i < desks.size() && left > 0; i++) {
      Desk.Brought one = desks.get((first + i) % desks.size()).claim(tx, leases, terms, left);
      brought.add(one);
      left -= one.claimed();
    }
    return brought;
  }

  @Override
  public WorkHandler<JobWork> handlerOf(JobWork work) {
    return HANDLER;
  }

  @Override
  public String subjectOf(JobWork work) {
    return "kind " + work.desk().kind();
  }

  @Override
  public int budgetOf(JobWork work) {
    return terms.attemptBudget();
  }

  @Override
  public List<LeaseOutcome> write(DSLContext tx, List<Answer> same) {
    return same.get(0).verdict() instanceof Verdict.Complete
        ? finish(tx, same)
        : Writes.of(leases, tx, same);
  }

  /** One statement for each kind. */
  private static List<LeaseOutcome> finish(DSLContext tx, List<Answer> done) {
    Map<Answer, LeaseOutcome> outcomes = new HashMap<>();
    List<Desk<?, ?, ?>> involved =
        done.stream().<Desk<?, ?, ?>>map(JobTrade::desk).distinct().toList();
    for (Desk<?, ?, ?> desk : involved) {
      List<Answer> its = done.stream().filter(answer -> desk(answer) == desk).toList();
      List<LeaseOutcome> finished = desk.finish(tx, its);
      for (int i = 0; i < its.size(); i++) {
        outcomes.put(its.get(i), finished.get(i));
      }
    }
    return done.stream().map(answer -> Objects.requireNonNull(outcomes.get(answer))).toList();
  }

  private static Desk<?, ?, ?> desk(Answer answer) {
    return ((JobWork) answer.work()).desk();
  }

  @Override
  public void recorded() {
    try {
      onRecord.run();
    } catch (RuntimeException e) {
      LOG.warn("Could not tell of what was recorded; the runner goes on", e);
    }
  }

  @Override
  public boolean deadBlocks() {
    return false;
  }

  /** Only by {@link RunningJob#finish}, which says so before. */
  @Override
  public boolean handlersMaySettle() {
    return false;
  }
}
