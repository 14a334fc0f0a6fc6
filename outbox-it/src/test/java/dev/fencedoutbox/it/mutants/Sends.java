package dev.fencedoutbox.it.mutants;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.fencedoutbox.internal.Rendered;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/** The methods of the library that send statements, told by its byte code. */
final class Sends {

  private Sends() {}

  /** Those that are not among {@code seen}: a statement of theirs would have no mutant. */
  static NavigableSet<String> notIn(Set<String> seen) {
    NavigableSet<String> unseen = new TreeSet<>();
    JavaClasses library =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(
                "dev.fencedoutbox.engine",
                "dev.fencedoutbox.inbox",
                "dev.fencedoutbox.job",
                "dev.fencedoutbox.lease",
                "dev.fencedoutbox.operate",
                "dev.fencedoutbox.outbox",
                "dev.fencedoutbox.relay",
                "dev.fencedoutbox.testkit");
    library.stream()
        .flatMap(type -> type.getMethodCallsFromSelf().stream())
        .filter(Sends::sends)
        .map(call -> call.getOriginOwner().getName() + "." + call.getOrigin().getName())
        .filter(method -> !seen.contains(method))
        .forEach(unseen::add);
    return unseen;
  }

  private static boolean sends(JavaMethodCall call) {
    String owner = call.getTargetOwner().getName();
    return (owner.startsWith("org.jooq.") || owner.equals(Rendered.class.getName()))
        && call.getTarget().getName().matches("(fetch|execute)\\w*");
  }
}
