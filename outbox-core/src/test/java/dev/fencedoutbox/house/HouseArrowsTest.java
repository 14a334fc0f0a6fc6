package dev.fencedoutbox.house;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import dev.fencedoutbox.lease.LeaseFaults;
import dev.fencedoutbox.outbox.StoredMessages;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who may know whom: one message walks from room to room and never back. */
class HouseArrowsTest {

  /** A package with all that it may know, beside the JDK, jOOQ and slf4j. */
  private enum Room {
    INTERNAL,
    /** No table: the statements are written over {@code LeaseTable}, for a host's as well. */
    LEASE("internal"),
    OUTBOX("internal", "lease", "schema"),
    INBOX("internal", "schema"),
    /** What relays and runners have in common; it knows no table. */
    ENGINE("internal", "lease"),
    RELAY("engine", "internal", "lease", "outbox", "schema"),
    OPERATE("internal", "lease", "outbox", "schema"),
    /** Beside the relay; of what operators have, it knows who acts and why. */
    JOB("engine", "internal", "lease", "operate", "outbox", "schema"),
    /** The JDK's own client. */
    HTTP("internal", "lease", "outbox", "relay", "javax.crypto", "javax.net.ssl"),
    /** Optional, and so is the driver. */
    NOTIFY("internal", "outbox", "relay", "org.postgresql"),
    /** Optional. */
    KAFKA("internal", "lease", "outbox", "relay", "org.apache.kafka"),
    /** Optional. */
    MICROMETER("internal", "lease", "operate", "outbox", "relay", "io.micrometer.core"),
    /** Optional. */
    OPENTELEMETRY(
        "internal", "lease", "outbox", "relay", "io.opentelemetry.api", "io.opentelemetry.context"),
    /** For tests of a host's own. */
    TESTKIT("internal", "lease", "outbox", "relay", "schema"),
    MIGRATION("org.flywaydb");

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> known;

    Room(String... known) {
      this.known = List.of(known);
    }

    static Stream<String> packages() {
      return Arrays.stream(values()).map(Room::itself);
    }

    String itself() {
      return named(name().toLowerCase(Locale.ROOT));
    }

    private static String named(String known) {
      return (known.contains(".") ? known : "dev.fencedoutbox." + known) + "..";
    }

    String[] mayKnow() {
      return Stream.concat(
              Stream.of(
                  itself(), "java..", "javax.sql..", "org.jooq..", "org.slf4j..", "org.jspecify.."),
              known.stream().map(Room::named))
          .toArray(String[]::new);
    }
  }

  @ParameterizedTest
  @EnumSource
  void room_knowsThoseBeforeItOnly(Room room) {
    classes()
        .that()
        .resideInAPackage(room.itself())
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(room.mayKnow())
        .because(
            "one message walks from room to room and never back, and what is optional stays apart")
        .check(House.CLASSES);
  }

  @Test
  void everyClass_livesInARoom() {
    assertThat(House.CLASSES)
        .extracting(JavaClass::getPackageName)
        .allMatch(name -> Room.packages().anyMatch(room -> (name + "..").equals(room)));
  }

  @Test
  void packages_haveNoCycles() {
    slices().matching("dev.fencedoutbox.(*)..").should().beFreeOfCycles().check(House.CLASSES);
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
            resideInAPackage("dev.fencedoutbox.testkit..")
                .or(belongToAnyOf(LeaseFaults.class, StoredMessages.class)))
        .because("no application and no other part of the library may write by a bare key")
        .check(House.CLASSES);
  }
}
