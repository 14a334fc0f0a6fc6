package dev.fencedoutbox.it.labs;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.fencedoutbox.inbox.Inbox;
import dev.fencedoutbox.inbox.InboxOutcome;
import dev.fencedoutbox.internal.CheckReturnValue;
import dev.fencedoutbox.lease.Claims;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.LeaseStatements;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.OrderedClaims;
import dev.fencedoutbox.lease.RenewOutcome;
import dev.fencedoutbox.outbox.EnqueueOutcome;
import dev.fencedoutbox.outbox.Outbox;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;

/**
 * Article 002: a write that met no row is a result, and the caller cannot overlook it. Every call
 * that reaches the database returns an outcome of its own type, and a compiler with Error Prone, as
 * in this build, refuses to let it drop.
 */
class ZeroRowsTest {

  private static final Set<Class<?>> OUTCOMES =
      Set.of(
          Claims.class,
          OrderedClaims.class,
          LeaseOutcome.class,
          RenewOutcome.class,
          EffectOutcome.class,
          EnqueueOutcome.class,
          InboxOutcome.class);

  @Test
  void everyWrite_returnsAnOutcome() {
    Map<String, Set<Class<?>>> calls =
        Stream.of(Leases.class, Outbox.class, Inbox.class)
            .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .filter(method -> List.of(method.getParameterTypes()).contains(DSLContext.class))
            .collect(toMap(Method::getName, ZeroRowsTest::outcome));

    assertThat(calls.keySet())
        .contains(
            "claim",
            "claimInOrder",
            "renew",
            "complete",
            "retry",
            "release",
            "bury",
            "checkpoint",
            "hold",
            "finish",
            "apply",
            "completeAll",
            "enqueue",
            "enqueueAll",
            "applyOnce");
    assertThat(calls)
        .allSatisfy(
            (name, outcome) -> assertThat(outcome).as(name).hasSize(1).isSubsetOf(OUTCOMES));
  }

  /** The outcome's type, by itself or of a list. */
  private static Set<Class<?>> outcome(Method method) {
    Type type = method.getGenericReturnType();
    if (method.getReturnType() == List.class) {
      type = ((ParameterizedType) type).getActualTypeArguments()[0];
    }
    return Set.of((Class<?>) (type instanceof ParameterizedType of ? of.getRawType() : type));
  }

  @Test
  void outcomes_mustBeUsed() {
    JavaClasses compiled =
        ArchConfiguration.withThreadLocalScope(ZeroRowsTest::importWithoutWhatTheyUse);

    assertThat(compiled)
        .hasSize(4)
        .allMatch(type -> type.isAnnotatedWith(CheckReturnValue.class), "is @CheckReturnValue");
    // Error Prone knows it by its simple name, in any package
    assertThat(CheckReturnValue.class.getSimpleName()).isEqualTo("CheckReturnValue");
  }

  /** Else it reads all of jOOQ as well, for seconds. */
  private static JavaClasses importWithoutWhatTheyUse(ArchConfiguration configuration) {
    configuration.setResolveMissingDependenciesFromClassPath(false);
    return new ClassFileImporter()
        .importClasses(Leases.class, LeaseStatements.class, Outbox.class, Inbox.class);
  }

  @Test
  void effectOutcome_isSwitchedOverWithoutDefault() {
    assertThat(Stream.of(EffectOutcome.values()).map(ZeroRowsTest::saved).collect(toSet()))
        .containsExactlyInAnyOrder("saved", "was there", "not saved");
  }

  /** A further outcome would not compile here, as in every host that switches like this. */
  private static String saved(EffectOutcome outcome) {
    return switch (outcome) {
      case APPLIED -> "saved";
      case DUPLICATE -> "was there";
      case FENCED -> "not saved";
    };
  }
}
