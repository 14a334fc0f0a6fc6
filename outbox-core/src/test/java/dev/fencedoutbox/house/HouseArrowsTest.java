package dev.fencedoutbox.house;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import org.junit.jupiter.api.Test;

/**
 * Who may know whom: {@code internal <- lease <- outbox <- relay}, and {@code internal <- inbox}.
 */
class HouseArrowsTest {

  private static final String INBOX = "dev.fencedoutbox.inbox..";
  private static final String INTERNAL = "dev.fencedoutbox.internal..";
  private static final String LEASE = "dev.fencedoutbox.lease..";
  private static final String MICROMETER = "dev.fencedoutbox.micrometer..";
  private static final String MIGRATION = "dev.fencedoutbox.migration..";
  private static final String OPENTELEMETRY = "dev.fencedoutbox.opentelemetry..";
  private static final String OUTBOX = "dev.fencedoutbox.outbox..";
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

  @Test
  void packages_haveNoCycles() {
    slices().matching("dev.fencedoutbox.(*)..").should().beFreeOfCycles().check(House.CLASSES);
  }

  @Test
  void core_dependsOnJooqAndSlf4jOnly() {
    classes()
        .that()
        .resideOutsideOfPackages(MIGRATION, MICROMETER, OPENTELEMETRY)
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

  @Test
  void micrometer_isALeaf() {
    leaf(MICROMETER, "io.micrometer.core..");
  }

  @Test
  void opentelemetry_isALeaf() {
    leaf(OPENTELEMETRY, "io.opentelemetry.api..", "io.opentelemetry.context..");
  }

  /** A package over an optional dependency: nobody needs it, and it needs little. */
  private static void leaf(String who, String... optional) {
    noClasses()
        .that()
        .resideOutsideOfPackage(who)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(who)
        .because("a host without the optional dependency must not miss it")
        .check(House.CLASSES);
    classes()
        .that()
        .resideInAPackage(who)
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage("java..", "org.jspecify..", who)
                .or(resideInAnyPackage(INTERNAL, LEASE, OUTBOX, RELAY))
                .or(resideInAnyPackage(optional)))
        .because("it looks at a relay from outside, through one optional dependency")
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
