package dev.fencedoutbox.opentelemetry;

import dev.fencedoutbox.internal.Texts;
import dev.fencedoutbox.relay.Attempt;
import dev.fencedoutbox.relay.DeliveryOutcome;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The deliveries of a call that were not delivered. */
record Failures(List<Failure> failures, int calledFor) {

  /** What an error of a span is called, and why. */
  record Failure(String type, String eventId, String reason) {}

  /** Empty if all were delivered. */
  static Optional<Failures> of(List<Attempt> attempts, @Nullable List<DeliveryOutcome> outcomes) {
    List<Failure> failures = new ArrayList<>();
    for (int i = 0; i < attempts.size(); i++) {
      boolean answered = outcomes != null && outcomes.size() == attempts.size();
      failure(attempts.get(i), answered && outcomes != null ? outcomes.get(i) : null)
          .ifPresent(failures::add);
    }
    return failures.isEmpty()
        ? Optional.empty()
        : Optional.of(new Failures(failures, attempts.size()));
  }

  private static Optional<Failure> failure(Attempt attempt, @Nullable DeliveryOutcome outcome) {
    String id = attempt.eventId();
    if (!attempt.isHeld()) {
      return Optional.of(
          new Failure("lost", id, "The lease was lost; what the handler answered is dropped."));
    } else if (outcome instanceof DeliveryOutcome.Retry retry) {
      return Optional.of(new Failure("retry", id, retry.reason()));
    } else if (outcome instanceof DeliveryOutcome.Bury bury) {
      return Optional.of(new Failure("bury", id, bury.reason()));
    } else if (outcome == null) {
      return Optional.of(new Failure("no_outcome", id, "The handler did not answer for it."));
    }
    return Optional.empty();
  }

  void tell(Span span) {
    Failure first = failures.get(0);
    span.setAttribute(SpanAttributes.ERROR_TYPE, first.type());
    if (calledFor == 1) {
      span.setStatus(StatusCode.ERROR, Texts.cleanError(first.reason()));
    } else {
      span.setAttribute(SpanAttributes.NOT_DELIVERED, (long) failures.size());
      span.setStatus(
          StatusCode.ERROR,
          "%d of %d were not delivered; the first, %s: %s"
              .formatted(
                  failures.size(), calledFor, first.eventId(), Texts.cleanError(first.reason())));
    }
  }

  static void tell(Span span, Throwable thrown) {
    span.setAttribute(SpanAttributes.ERROR_TYPE, thrown.getClass().getName());
    span.setStatus(StatusCode.ERROR, Texts.cleanError(String.valueOf(thrown)));
    span.recordException(thrown);
  }
}
