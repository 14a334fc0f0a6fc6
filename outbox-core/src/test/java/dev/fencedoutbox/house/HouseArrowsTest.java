package dev.fencedoutbox.house;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import dev.fencedoutbox.lease.LeaseFaults;
import dev.fencedoutbox.outbox.StoredMessages;
import org.junit.jupiter.api.Test;

/**
 * Who may know whom: {@code internal <- lease <- outbox <- relay}, and {@code internal <- inbox}.
 */
class HouseArrowsTest {

  private static final String INBOX = "dev.fencedoutbox.inbox..";
  private static final String INTERNAL = "dev.fencedoutbox.internal..";
  private static final String LEASE = "dev.fencedoutbox.lease..";
  private static final String MIGRATION = "dev.fencedoutbox.migration..";
  private static final String OUTBOX = "dev.fencedoutbox.outbox..";
  private static final String RELAY = "dev.fencedoutbox.relay..";
  private static final String SCHEMA = "dev.fencedoutbox.schema..";
  private static final String TESTKIT = "dev.fencedoutbox.testkit..";

  @Test
  void internal_knowsNobody() {
    notKnown(INTERNAL, INBOX, LEASE, MIGRATION, OUTBOX, RELAY, SCHEMA);
  }

  /** The statements are written over {@code LeaseTable}, so that a host's table is no exception. */
  @Test
  void lease_knowsNoTable() {
    notKnown(LEASE, INBOX, MIGRATION, OUTBOX, RELAY, SCHEMA);
  }

  @Test
  void outbox_knowsNoneThatActOnIt() {
    notKnown(OUTBOX, INBOX, MIGRATION, RELAY);
  }

  @Test
  void relay_doesNotKnowInboxOrMigration() {
    notKnown(RELAY, INBOX, MIGRATION);
  }

  @Test
  void inbox_knowsSchemaAndInternalOnly() {
    notKnown(INBOX, LEASE, MIGRATION, OUTBOX, RELAY);
  }

  @Test
  void testkit_knowsNeitherInboxNorMigration() {
    notKnown(TESTKIT, INBOX, MIGRATION);
  }

  @Test
  void testkit_isKnownByNobody() {
    noClasses()
        .that()
        .resideOutsideOfPackage(TESTKIT)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(TESTKIT)
        .because("what is for tests has no part in what an application runs")
        .check(House.CLASSES);
  }

  /** They write without a lease, and read what is not claimed. */
  @Test
  void doorsOfTheTestkit_areUsedByTheTestkitOnly() {
    classes()
        .that()
        .belongToAnyOf(LeaseFaults.class, StoredMessages.class)
        .should()
        .onlyBeAccessed()
        .byClassesThat(
            resideInAPackage(TESTKIT).or(belongToAnyOf(LeaseFaults.class, StoredMessages.class)))
        .because("no application and no other part of the library may write by a bare key")
        .check(House.CLASSES);
  }

  @Test
  void packages_haveNoCycles() {
    slices().matching("dev.fencedoutbox.(*)..").should().beFreeOfCycles().check(House.CLASSES);
  }

  @Test
  void core_dependsOnJooqAndSlf4jOnly() {
    classes()
        .that()
        .resideOutsideOfPackage(MIGRATION)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "javax.sql..",
            "org.jooq..",
            "org.slf4j..",
            "org.jspecify..",
            "dev.fencedoutbox..")
        .because("that is all that a host gets with the library")
        .check(House.CLASSES);
  }

  private static void notKnown(String who, String... whom) {
    noClasses()
        .that()
        .resideInAPackage(who)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(whom)
        .because("one message walks from room to room and never back")
        .check(House.CLASSES);
  }
}
