package dev.fencedoutbox.house;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;

/** The library's own classes, without tests and without what is generated. */
final class House {

  private static final String TESTS =
      House.class.getProtectionDomain().getCodeSource().getLocation().toString();

  static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(House::isMain)
          .importPackages(
              "dev.fencedoutbox.http",
              "dev.fencedoutbox.inbox",
              "dev.fencedoutbox.internal",
              "dev.fencedoutbox.job",
              "dev.fencedoutbox.kafka",
              "dev.fencedoutbox.lease",
              "dev.fencedoutbox.micrometer",
              "dev.fencedoutbox.migration",
              "dev.fencedoutbox.notify",
              "dev.fencedoutbox.opentelemetry",
              "dev.fencedoutbox.operate",
              "dev.fencedoutbox.outbox",
              "dev.fencedoutbox.engine",
              "dev.fencedoutbox.relay",
              "dev.fencedoutbox.testkit");

  private House() {}

  private static boolean isMain(Location location) {
    return !location.asURI().toString().startsWith(TESTS);
  }
}
