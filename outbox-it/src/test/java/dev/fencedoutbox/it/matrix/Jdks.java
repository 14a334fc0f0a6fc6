package dev.fencedoutbox.it.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The JDKs of this machine. */
final class Jdks {

  private static final Path OF_THE_SYSTEM = Path.of("/usr/lib/jvm");
  private static final Pattern MAJOR = Pattern.compile("(?m)^JAVA_VERSION=\"(\\d+)");

  private Jdks() {}

  /**
   * The home of a JDK of this major version: {@code JAVA_HOME_25}, {@code JAVA_HOME}, the one that
   * runs this, or one of {@code /usr/lib/jvm}.
   */
  static Optional<Path> home(int major) {
    return Stream.concat(
            Stream.of(
                    System.getenv("JAVA_HOME_" + major),
                    System.getenv("JAVA_HOME"),
                    System.getProperty("java.home"))
                .filter(Objects::nonNull)
                .filter(home -> !home.isBlank())
                .map(Path::of),
            ofTheSystem().stream())
        .filter(home -> major(home) == major)
        .findFirst();
  }

  private static List<Path> ofTheSystem() {
    if (!Files.isDirectory(OF_THE_SYSTEM)) {
      return List.of();
    }
    try (Stream<Path> homes = Files.list(OF_THE_SYSTEM)) {
      return homes.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The major version by the file {@code release}, 0 if this is no JDK. */
  private static int major(Path home) {
    Path release = home.resolve("release");
    if (!Files.isExecutable(home.resolve("bin").resolve("java")) || !Files.isReadable(release)) {
      return 0;
    }
    try {
      return MAJOR
          .matcher(Files.readString(release, UTF_8))
          .results()
          .findFirst()
          .map(found -> Integer.parseInt(found.group(1)))
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
