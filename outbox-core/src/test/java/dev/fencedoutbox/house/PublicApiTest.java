package dev.fencedoutbox.house;

import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaParameterizedType;
import com.tngtech.archunit.core.domain.JavaType;
import dev.fencedoutbox.lease.Burial;
import dev.fencedoutbox.lease.Claims;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.OrderedClaims;
import dev.fencedoutbox.lease.RenewOutcome;
import dev.fencedoutbox.lease.Retry;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;

/** What a host sees: a change of it is a change of this list. */
class PublicApiTest {

  private static final List<JavaClass> PUBLISHED =
      House.CLASSES.stream()
          .filter(type -> !type.getPackageName().endsWith(".internal"))
          .filter(type -> !type.getPackageName().endsWith(".engine"))
          .filter(PublicApiTest::isVisible)
          .toList();

  private static final Set<String> CLAIMS =
      Set.of(Claims.class.getName(), OrderedClaims.class.getName());

  private static final JavaClass LEASES = House.CLASSES.get(Leases.class);

  @Test
  void publicTypes_areThese() {
    assertThat(PUBLISHED)
        .extracting(type -> type.getName().substring("dev.fencedoutbox.".length()))
        .containsExactlyInAnyOrder(
            "http.HttpPublisher",
            "http.HttpPublisherBuilder",
            "inbox.Inbox",
            "inbox.InboxOutcome",
            "job.CancelOutcome",
            "job.DeadJobs",
            "job.DeliveryIntent",
            "job.JobHandler",
            "job.JobKind",
            "job.JobOutcome",
            "job.JobOutcome$Bury",
            "job.JobOutcome$Done",
            "job.JobOutcome$Release",
            "job.JobOutcome$Retry",
            "job.JobOutcome$Settled",
            "job.JobRunner",
            "job.JobRunnerBuilder",
            "job.JobRunnerCounters",
            "job.JobRunnerOptions",
            "job.JobView",
            "job.JobWaitOptions",
            "job.JobWaits",
            "job.Jobs",
            "job.NewJob",
            "job.RedriveOutcome",
            "job.RunningJob",
            "job.SubmitOutcome",
            "job.Submitted",
            "kafka.KafkaHeaders",
            "kafka.KafkaPublisher",
            "kafka.KafkaPublisherBuilder",
            "lease.Accepted",
            "lease.Burial",
            "lease.Buried",
            "lease.ClaimStatement",
            "lease.ClaimTerms",
            "lease.Claimed",
            "lease.Claims",
            "lease.Effect",
            "lease.EffectOutcome",
            "lease.Epoch",
            "lease.Finished",
            "lease.KeyWalk",
            "lease.Lease",
            "lease.LeaseFaults",
            "lease.LeaseOutcome",
            "lease.LeaseStatements",
            "lease.LeaseTable",
            "lease.LeaseTable$AttemptsStep",
            "lease.LeaseTable$CompletionStep",
            "lease.LeaseTable$EpochStep",
            "lease.LeaseTable$LeaseUntilStep",
            "lease.LeaseTable$StatusStep",
            "lease.Leases",
            "lease.OrderedClaimStatement",
            "lease.OrderedClaims",
            "lease.OrderedTable",
            "lease.RenewOutcome",
            "lease.RenewOutcome$Refused",
            "lease.RenewOutcome$Renewed",
            "lease.RepeatedClaim",
            "lease.RepeatedClaim$Range",
            "lease.RepeatedCompletion",
            "lease.ResultColumn",
            "lease.Retry",
            "micrometer.ChannelMetrics",
            "micrometer.HandlingMetrics",
            "micrometer.RelayMetrics",
            "migration.OutboxMigrations",
            "notify.NotificationCounters",
            "notify.Notifications",
            "notify.Notifier",
            "notify.NotifierCounters",
            "opentelemetry.TraceContext",
            "opentelemetry.Tracing",
            "operate.Changed",
            "operate.DeadLetter",
            "operate.DeadLetter$Standing",
            "operate.DeadLetterPage",
            "operate.DeadLetters",
            "operate.IdWalk",
            "operate.InboxWalk",
            "operate.Operator",
            "operate.Purged",
            "operate.Replay",
            "operate.ReplayOutcome",
            "operate.Retention",
            "operate.Selection",
            "operate.SentSelection",
            "operate.Signals",
            "operate.Snapshot",
            "outbox.Channel",
            "outbox.Delivery",
            "outbox.EnqueueListener",
            "outbox.EnqueueOutcome",
            "outbox.Message",
            "outbox.Outbox",
            "outbox.StoredMessages",
            "outbox.Topic",
            "relay.Attempt",
            "lease.Backoff",
            "lease.Backoff$Exponential",
            "lease.Backoff$Fixed",
            "relay.BatchHandler",
            "relay.CloseReport",
            "relay.CommitListener",
            "relay.DeadHeadPolicy",
            "relay.DecidingHandler",
            "relay.DeliveryInterceptor",
            "relay.DeliveryInterceptor$Handling",
            "relay.DeliveryOutcome",
            "relay.DeliveryOutcome$Bury",
            "relay.DeliveryOutcome$Delivered",
            "relay.DeliveryOutcome$Release",
            "relay.DeliveryOutcome$Retry",
            "relay.DeliveryOutcome$Settled",
            "relay.Handler",
            "relay.Pacing",
            "relay.Received",
            "relay.Relay",
            "relay.RelayBuilder",
            "relay.RelayCounters",
            "relay.RelayOptions",
            "relay.SteppedRelay",
            "relay.TimeBound",
            "relay.Wakeup",
            "relay.WakeupSource",
            "relay.WakeupSource$Listening",
            "testkit.EffectUnderTest",
            "testkit.EnqueuedMessage",
            "testkit.EnqueuedMessages",
            "testkit.FencedEffectCheck",
            "testkit.LeaseMover",
            "testkit.ManualClock");
  }

  @Test
  void publicMethods_takeAtMostFourParametersAndNoBoolean() {
    assertThat(publicMethods())
        .isNotEmpty()
        .allSatisfy(
            method -> {
              assertThat(method.getRawParameterTypes()).hasSizeLessThanOrEqualTo(4);
              assertThat(method.getRawParameterTypes())
                  .noneMatch(type -> type.isEquivalentTo(boolean.class));
            });
  }

  /** A bare key proves nothing. */
  @Test
  void writes_takeTheProof() {
    assertThat(writes())
        .hasSizeGreaterThan(10)
        .allSatisfy(
            write ->
                assertThat(mentioned(write.getParameterTypes()))
                    .containsAnyOf(
                        Lease.class.getName(), Retry.class.getName(), Burial.class.getName()));
  }

  /** The caller cannot overlook that nothing was written. */
  @Test
  void writes_returnOutcomes() {
    assertThat(writes())
        .allSatisfy(
            write ->
                assertThat(mentioned(List.of(write.getReturnType())))
                    .containsAnyOf(
                        LeaseOutcome.class.getName(),
                        RenewOutcome.class.getName(),
                        EffectOutcome.class.getName()));
  }

  @Test
  void claims_areTheOnlyOtherCalls() {
    assertThat(publicMethods(LEASES))
        .filteredOn(method -> takes(method, DSLContext.class) && !writes().contains(method))
        .extracting(JavaMethod::getName)
        .containsExactlyInAnyOrder("claim", "claimByKey", "claimInOrder");
  }

  private static List<JavaMethod> writes() {
    return publicMethods(LEASES).stream()
        .filter(method -> takes(method, DSLContext.class))
        .filter(method -> !CLAIMS.contains(method.getRawReturnType().getName()))
        .toList();
  }

  private static boolean takes(JavaMethod method, Class<?> type) {
    return method.getRawParameterTypes().stream().anyMatch(given -> given.isEquivalentTo(type));
  }

  private static List<JavaMethod> publicMethods() {
    return PUBLISHED.stream().flatMap(type -> publicMethods(type).stream()).toList();
  }

  private static List<JavaMethod> publicMethods(JavaClass type) {
    return type.getMethods().stream()
        .filter(method -> method.getModifiers().contains(PUBLIC))
        .filter(method -> !method.getName().equals("equals"))
        .toList();
  }

  private static Set<String> mentioned(List<? extends JavaType> types) {
    return types.stream()
        .flatMap(PublicApiTest::arguments)
        .collect(java.util.stream.Collectors.toSet());
  }

  private static Stream<String> arguments(JavaType type) {
    Stream<String> self = Stream.of(type.toErasure().getName());
    return type instanceof JavaParameterizedType parameterized
        ? Stream.concat(
            self, parameterized.getActualTypeArguments().stream().flatMap(PublicApiTest::arguments))
        : self;
  }

  private static boolean isVisible(JavaClass type) {
    return type.getModifiers().contains(PUBLIC)
        && type.getEnclosingClass().map(PublicApiTest::isVisible).orElse(true);
  }
}
