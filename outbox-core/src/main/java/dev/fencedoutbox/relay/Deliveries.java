package dev.fencedoutbox.relay;

import dev.fencedoutbox.engine.Answer;
import dev.fencedoutbox.engine.Outcome;
import dev.fencedoutbox.engine.Step;
import dev.fencedoutbox.engine.Trade;
import dev.fencedoutbox.engine.Tried;
import dev.fencedoutbox.engine.WorkHandler;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.schema.Tables;
import dev.fencedoutbox.schema.tables.records.DeliveryRecord;
import java.util.List;
import java.util.Objects;
import org.jooq.DSLContext;
import org.jooq.TableField;
import org.jspecify.annotations.Nullable;

/** What a relay works on: the deliveries of one channel. */
final class Deliveries implements Trade<DeliveryWork> {

  /** A topic's route as the engine sees it. */
  private record Intercepted(Route route, DeliveryInterceptor interceptor)
      implements WorkHandler<DeliveryWork> {

    @Override
    public int mostAtOnce() {
      return route.mostAtOnce();
    }

    @Override
    public List<Outcome> handle(List<DeliveryWork> works) throws Exception {
      List<Attempt> attempts = List.copyOf(works);
      List<DeliveryOutcome> outcomes =
          interceptor.around(attempts, () -> route.call().deliver(attempts));
      if (outcomes == null
          || outcomes.size() != works.size()
          || outcomes.stream().anyMatch(Objects::isNull)) {
        throw new IllegalStateException(
            "A handler or interceptor returned %s for %d deliveries. They are tried again. Return one outcome each."
                .formatted(outcomes, works.size()));
      }
      return outcomes.stream().map(Intercepted::outcome).toList();
    }

    private static Outcome outcome(DeliveryOutcome said) {
      if (said instanceof DeliveryOutcome.Retry retry) {
        return new Outcome.Retry(retry.after(), retry.reason());
      } else if (said instanceof DeliveryOutcome.Bury bury) {
        return new Outcome.Bury(bury.reason());
      } else if (said instanceof DeliveryOutcome.Release) {
        return new Outcome.Release();
      }
      return said instanceof DeliveryOutcome.Settled
          ? new Outcome.Settled()
          : new Outcome.Done(null);
    }
  }

  private final Claimer claimer;
  private final Routes routes;
  private final RelayOptions options;
  private final DeliveryInterceptor interceptor;
  private final RecordStatements statements;

  Deliveries(
      Claimer claimer,
      Routes routes,
      RelayOptions options,
      DeliveryInterceptor interceptor,
      RecordStatements statements) {
    this.claimer = claimer;
    this.routes = routes;
    this.options = options;
    this.interceptor = interceptor;
    this.statements = statements;
  }

  @Override
  public TableField<DeliveryRecord, Long> key() {
    return Tables.DELIVERY.ID;
  }

  @Override
  public Tried<Step> claim(int limit, Intake<DeliveryWork> into) {
    return claimer.claim(limit, into);
  }

  @Override
  public boolean leavesMuch() {
    return claimer.leavesMuch();
  }

  @Override
  public Tried<Step> claimBeside(int limit, Intake<DeliveryWork> into) {
    return claimer.claimBeside(limit, into);
  }

  @Override
  public @Nullable WorkHandler<DeliveryWork> handlerOf(DeliveryWork work) {
    @Nullable Route route = routes.of(work.topic());
    return route == null ? null : new Intercepted(route, interceptor);
  }

  @Override
  public String subjectOf(DeliveryWork work) {
    return "topic " + work.topic();
  }

  @Override
  public int budgetOf(DeliveryWork work) {
    return routes.budget(work.topic(), options.terms().attemptBudget());
  }

  @Override
  public List<LeaseOutcome> write(DSLContext tx, List<Answer> same) {
    return statements.write(tx, same);
  }

  /** Nobody waits for a delivery. */
  @Override
  public void recorded() {}

  @Override
  public boolean deadBlocks() {
    return options.deadHead() == DeadHeadPolicy.BLOCK;
  }

  /** By a fenced effect of their own. */
  @Override
  public boolean handlersMaySettle() {
    return true;
  }
}
