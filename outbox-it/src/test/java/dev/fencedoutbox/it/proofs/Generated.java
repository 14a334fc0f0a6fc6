package dev.fencedoutbox.it.proofs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The library's classes as generated from a changed schema. Most are, to the letter, what this
 * build has compiled already, which need not be done again.
 *
 * @param changed the sources that the build does not have like this
 * @param unchanged the names of the classes whose sources it has
 */
record Generated(List<Path> changed, Set<String> unchanged) {

  private static final Path BUILT = Path.of("../outbox-schema/target/generated-sources/jooq");
  private static final String PACKAGE = "dev.fencedoutbox.schema.";

  /** What was generated into {@code directory}. */
  static Generated in(Path directory) throws IOException {
    List<Path> changed = new ArrayList<>();
    Set<String> unchanged = new HashSet<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path name = directory.relativize(file);
        Path built = BUILT.resolve(name);
        if (Files.exists(built) && Files.mismatch(file, built) == -1) {
          unchanged.add(name.toString().replace(".java", "").replace('/', '.'));
        } else {
          changed.add(file);
        }
      }
    }
    return new Generated(changed, unchanged);
  }

  /** Whether the compiler may see the class that this build has made. */
  boolean leavesAsBuilt(String className) {
    return !className.startsWith(PACKAGE) || unchanged.contains(className.replaceAll("\\$.*", ""));
  }
}
