package dev.fencedoutbox.it.model;

import dev.fencedoutbox.it.app.ShopJobs;
import dev.fencedoutbox.it.model.Answer.Written;
import dev.fencedoutbox.it.model.Tables.Receipt;
import dev.fencedoutbox.lease.Burial;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.RenewOutcome;
import dev.fencedoutbox.lease.Retry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** A verb under leases, by one statement where it has one for many. */
record Write(Verb verb, List<Ref> leases) implements Action {

  /** Every write under a lease. */
  enum Verb {
    RENEW,
    RENEW_SHORT,
    COMPLETE,
    RETRY,
    RETRY_LATER,
    RELEASE,
    POSTPONE,
    BURY,
    HOLD,
    APPLY,
    FINISH;

    /** Whether the claim is over after it. */
    boolean ends() {
      return switch (this) {
        case RENEW, RENEW_SHORT, HOLD, APPLY -> false;
        case COMPLETE, RETRY, RETRY_LATER, RELEASE, POSTPONE, BURY, FINISH -> true;
      };
    }
  }

  static final Duration LATER = Duration.ofDays(1);
  private static final Duration RENEWED = Duration.ofDays(20);
  private static final Duration SHORTER = Duration.ofDays(5);
  private static final Leases BY = Leases.ownedBy("anybody");

  @Override
  public Answer inModel(World world, Time now) {
    Set<Ref> accepted = new HashSet<>();
    for (Ref lease : leases) {
      Row row = world.rows.get(lease.id());
      if (row != null && row.isHeldBy(lease, now)) {
        accepted.add(lease);
        accept(world, row, now);
      }
    }
    return Answer.ofWrites(
        leases.stream()
            .map(lease -> new Written(lease, outcome(world, lease, accepted.contains(lease))))
            .toList());
  }

  /** The reason of a refusal is read afterwards. */
  private String outcome(World world, Ref lease, boolean accepted) {
    if (verb == Verb.APPLY || verb == Verb.FINISH) {
      return accepted ? "APPLIED" : "FENCED";
    }
    return (accepted ? LeaseOutcome.ACCEPTED : refusal(world.rows.get(lease.id()), lease)).name();
  }

  private static LeaseOutcome refusal(@Nullable Row row, Ref lease) {
    if (row == null) {
      return LeaseOutcome.GONE;
    }
    if (row.epoch() > lease.epoch()) {
      return LeaseOutcome.SUPERSEDED;
    }
    return row.state() == Row.State.LEASED ? LeaseOutcome.EXPIRED : LeaseOutcome.SETTLED;
  }

  private void accept(World world, Row row, Time now) {
    switch (verb) {
      case RENEW -> world.put(row.renewed(RENEWED, now));
      case RENEW_SHORT -> world.put(row.renewed(SHORTER, now));
      case RETRY -> world.put(row.retried(Duration.ZERO, "no luck", now));
      case RETRY_LATER -> world.put(row.retried(LATER, "not now", now));
      case RELEASE -> world.put(row.released());
      case POSTPONE -> world.put(row.postponed(LATER, now));
      case BURY -> world.put(row.ended(Row.State.DEAD, "hopeless"));
      case COMPLETE, FINISH -> complete(world, row);
      case HOLD, APPLY -> {}
    }
    Ref lease = new Ref(row.id(), row.epoch());
    if (verb == Verb.APPLY || verb == Verb.FINISH) {
      world.effects.put(row.id(), value(lease));
    }
    if (verb.ends()) {
      world.ended.add(lease);
    }
  }

  private static void complete(World world, Row row) {
    if (world.kind == Kind.JOBS) {
      world.put(row.ended(Row.State.DONE, row.error()));
    } else {
      world.rows.remove(row.id());
      world.receipts.add(new Receipt(row.id(), row.epoch(), row.attempts()));
    }
  }

  @Override
  public Answer inDatabase(Product product, DSLContext dsl) {
    List<Lease<Long>> all = product.leases(leases);
    return switch (verb) {
      case RENEW -> renewed(product, BY.renewAll(dsl, all, RENEWED));
      case RENEW_SHORT -> renewed(product, BY.renewAll(dsl, all, SHORTER));
      case COMPLETE -> answer(BY.completeAll(dsl, all));
      case RETRY -> answer(BY.retryAll(dsl, retries(all, Duration.ZERO, "no luck")));
      case RETRY_LATER -> answer(BY.retryAll(dsl, retries(all, LATER, "not now")));
      case RELEASE -> answer(BY.releaseAll(dsl, all));
      case POSTPONE -> answer(BY.postponeAll(dsl, all, LATER));
      case BURY ->
          answer(BY.buryAll(dsl, all.stream().map(l -> new Burial<>(l, "hopeless")).toList()));
      case HOLD -> answer(all.stream().map(lease -> BY.hold(dsl, lease)).toList());
      case APPLY ->
          answer(
              leases.stream()
                  .map(l -> BY.apply(dsl, product.lease(l), ShopJobs.storing(value(l))))
                  .toList());
      case FINISH ->
          answer(
              leases.stream()
                  .map(l -> BY.finish(dsl, product.lease(l), ShopJobs.storing(value(l))))
                  .toList());
    };
  }

  private static String value(Ref lease) {
    return "by " + lease.epoch();
  }

  private static List<Retry<Long>> retries(List<Lease<Long>> all, Duration after, String error) {
    return all.stream().map(lease -> new Retry<>(lease, after, error)).toList();
  }

  private Answer renewed(Product product, List<RenewOutcome<Long>> outcomes) {
    List<LeaseOutcome> plain = new ArrayList<>();
    for (RenewOutcome<Long> outcome : outcomes) {
      if (outcome instanceof RenewOutcome.Renewed<Long> renewed) {
        Ref unused = product.keep(renewed.lease());
        plain.add(LeaseOutcome.ACCEPTED);
      } else if (outcome instanceof RenewOutcome.Refused<Long> refused) {
        plain.add(refused.reason());
      }
    }
    return answer(plain);
  }

  private Answer answer(List<? extends Enum<?>> outcomes) {
    List<Written> all = new ArrayList<>();
    for (int i = 0; i < leases.size(); i++) {
      all.add(new Written(leases.get(i), outcomes.get(i).name()));
    }
    return Answer.ofWrites(all);
  }

  @Override
  public Action renamed(UnaryOperator<String> events) {
    return new Write(verb, leases.stream().map(lease -> lease.renamed(events)).toList());
  }

  @Override
  public String toString() {
    return verb.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + leases;
  }
}
