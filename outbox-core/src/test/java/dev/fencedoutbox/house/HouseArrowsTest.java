package dev.fencedoutbox.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import org.junit.jupiter.api.Test;

/**
 * Who may know whom: {@code internal <- lease <- outbox <- operate}, and {@code internal <- inbox}.
 */
class HouseArrowsTest {

  private static final String INBOX = "dev.fencedoutbox.inbox..";
  private static final String INTERNAL = "dev.fencedoutbox.internal..";
  private static final String LEASE = "dev.fencedoutbox.lease..";
  private static final String MIGRATION = "dev.fencedoutbox.migration..";
  private static final String OPERATE = "dev.fencedoutbox.operate..";
  private static final String OUTBOX = "dev.fencedoutbox.outbox..";
  private static final String SCHEMA = "dev.fencedoutbox.schema..";

  @Test
  void internal_knowsNobody() {
    notKnown(INTERNAL, INBOX, LEASE, MIGRATION, OPERATE, OUTBOX, SCHEMA);
  }

  /** The statements are written over {@code LeaseTable}, so that a host's table is no exception. */
  @Test
  void lease_knowsNoTable() {
    notKnown(LEASE, INBOX, MIGRATION, OPERATE, OUTBOX, SCHEMA);
  }

  @Test
  void outbox_doesNotKnowInboxOrMigrationOrOperate() {
    notKnown(OUTBOX, INBOX, MIGRATION, OPERATE);
  }

  @Test
  void operate_doesNotKnowInboxOrMigration() {
    notKnown(OPERATE, INBOX, MIGRATION);
  }

  @Test
  void inbox_knowsSchemaAndInternalOnly() {
    notKnown(INBOX, LEASE, MIGRATION, OPERATE, OUTBOX);
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
            "java..", "org.jooq..", "org.slf4j..", "org.jspecify..", "dev.fencedoutbox..")
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
