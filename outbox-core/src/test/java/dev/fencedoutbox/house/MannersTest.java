package dev.fencedoutbox.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Whose transactions, whose clocks, whose exceptions. */
class MannersTest {

  private static final String OWN_TRANSACTIONS = "dev.fencedoutbox.engine.OwnTransactions";

  /** The library's own transactions, on data sources that it was given for them. */
  private static final Set<String> ON_OWN_CONNECTIONS =
      Set.of(
          OWN_TRANSACTIONS,
          "dev.fencedoutbox.job.JobWaits",
          "dev.fencedoutbox.engine.Loan",
          "dev.fencedoutbox.notify.ListenSession",
          "dev.fencedoutbox.notify.NotifySql",
          "dev.fencedoutbox.testkit.Crossing"); // a takeover that a host's test holds open

  /**
   * Where what was thrown is dealt with and not only passed on: a transaction of an engine's own, a
   * handler of the host's, a payload that cannot be read, one record of a batch, and the last line
   * of each thread.
   */
  private static final Set<String> CATCHING =
      Set.of(
          OWN_TRANSACTIONS,
          "dev.fencedoutbox.engine.Deliverer",
          "dev.fencedoutbox.internal.Loop",
          "dev.fencedoutbox.engine.Errors",
          "dev.fencedoutbox.job.JobTrade",
          "dev.fencedoutbox.job.JobWaits",
          "dev.fencedoutbox.kafka.Publication",
          "dev.fencedoutbox.relay.Listeners",
          "dev.fencedoutbox.relay.Route$PartlyRead");

  @Test
  void transactions_areTheCallers() {
    neverIn(
        House.CLASSES.that(
            describe(
                "not on connections of the library's own",
                type -> !ON_OWN_CONNECTIONS.contains(type.getName()))),
        "open, commit or roll back",
        access ->
            (owner(access).getPackageName().startsWith("org.jooq")
                    && access.getTarget().getName().startsWith("transaction"))
                || (owner(access).isAssignableTo(java.sql.Connection.class)
                    && Set.of("commit", "rollback", "setAutoCommit", "setSavepoint")
                        .contains(access.getTarget().getName())),
        "at its outermost level jOOQ's transaction would commit what the caller has not finished");
  }

  @Test
  void statements_doNotAskForTheTransactionsTime() {
    never(
        "now() and its kind",
        access ->
            owner(access).getPackageName().startsWith("org.jooq")
                && Set.of(
                        "now",
                        "currentTimestamp",
                        "currentOffsetDateTime",
                        "currentLocalDateTime",
                        "currentInstant",
                        "localDateTime",
                        "currentDate",
                        "currentLocalDate",
                        "currentTime")
                    .contains(access.getTarget().getName()),
        "they stand still from the start of the transaction, and a lease does not");
  }

  @Test
  void machine_isNotAskedForTheTime() {
    never(
        "the machine's clock",
        access ->
            (owner(access).getPackageName().equals("java.time")
                    && access.getTarget().getName().equals("now"))
                || owner(access).isAssignableTo(java.time.Clock.class)
                || access.getTarget().getName().equals("currentTimeMillis"),
        "the database decides who holds; a worker's clock may be ten minutes off");
  }

  @Test
  void nobody_sleeps() {
    never(
        "Thread.sleep",
        access ->
            owner(access).isEquivalentTo(Thread.class)
                && access.getTarget().getName().equals("sleep"),
        "a call is one statement");
  }

  @Test
  void databaseErrors_areNotCaught() {
    assertThat(House.CLASSES)
        .filteredOn(type -> !CATCHING.contains(type.getName()))
        .flatExtracting(JavaClass::getCodeUnits)
        .flatExtracting(MannersTest::caught)
        .as("hosts translate jOOQ's exceptions, so no control flow may hang on them")
        .noneMatch(
            type ->
                type.getPackageName().startsWith("org.jooq")
                    || type.isEquivalentTo(RuntimeException.class)
                    || type.isEquivalentTo(Throwable.class));
  }

  /**
   * Without the Throwable that a try with resources catches, and throws again, once it has closed.
   */
  private static List<JavaClass> caught(JavaCodeUnit unit) {
    boolean closes =
        unit.getMethodCallsFromSelf().stream()
            .anyMatch(call -> call.getTarget().getName().equals("addSuppressed"));
    return unit.getTryCatchBlocks().stream()
        .flatMap(block -> block.getCaughtThrowables().stream())
        .filter(type -> !(closes && type.isEquivalentTo(Throwable.class)))
        .toList();
  }

  @Test
  void state_isNeverStaticAndMutable() {
    fields()
        .that()
        .areStatic()
        .should()
        .beFinal()
        .because("two hosts in one JVM must not see each other")
        .check(House.CLASSES);
  }

  private static void never(String what, Predicate<JavaAccess<?>> access, String reason) {
    neverIn(House.CLASSES, what, access, reason);
  }

  private static void neverIn(
      JavaClasses where, String what, Predicate<JavaAccess<?>> access, String reason) {
    noClasses().should(accessTargetWhere(describe(what, access))).because(reason).check(where);
  }

  private static JavaClass owner(JavaAccess<?> access) {
    return access.getTargetOwner();
  }
}
