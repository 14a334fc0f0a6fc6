package dev.fencedoutbox.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import org.junit.jupiter.api.Test;

/**
 * Who may know whom: {@code internal <- lease <- outbox <- relay <- notify}, and {@code internal <-
 * inbox}.
 */
class HouseArrowsTest {

  private static final String INBOX = "dev.fencedoutbox.inbox..";
  private static final String INTERNAL = "dev.fencedoutbox.internal..";
  private static final String LEASE = "dev.fencedoutbox.lease..";
  private static final String MIGRATION = "dev.fencedoutbox.migration..";
  private static final String NOTIFY = "dev.fencedoutbox.notify..";
  private static final String OUTBOX = "dev.fencedoutbox.outbox..";
  private static final String POSTGRES = "org.postgresql..";
  private static final String RELAY = "dev.fencedoutbox.relay..";
  private static final String SCHEMA = "dev.fencedoutbox.schema..";

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

  /** It needs a driver that a host may not have. */
  @Test
  void notify_isKnownByNobody_andKnowsOutboxAndRelayOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackage(NOTIFY)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(NOTIFY, POSTGRES)
        .because("wake-ups between processes are optional, and so is the driver")
        .check(House.CLASSES);
    notKnown(NOTIFY, INBOX, LEASE, MIGRATION, SCHEMA);
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
            POSTGRES, // in notify alone, as the test above has it
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
