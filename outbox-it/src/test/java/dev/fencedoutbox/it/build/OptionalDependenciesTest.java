package dev.fencedoutbox.it.build;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.Proofs;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.relay.Relay;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A host brings each optional dependency or does without: only one package misses it. */
@Tag(Proofs.LEFT_OUT)
class OptionalDependenciesTest {

  private static final TestDatabase DB = TestDatabase.create();

  private static final List<File> CLASS_PATH =
      Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
          .map(File::new)
          .toList();

  private static final URLClassLoader OTHERS = others();

  private static final List<String> OF_CORE =
      new ClassFileImporter()
          .importUrl(Relay.class.getProtectionDomain().getCodeSource().getLocation()).stream()
              .filter(type -> type.getPackageName().startsWith("dev.fencedoutbox."))
              .filter(
                  type -> !type.getPackageName().matches("dev[.]fencedoutbox[.](it\\..*|house)"))
              .map(type -> type.getName())
              .sorted()
              .toList();

  /** An optional dependency of outbox-core: its artifact, its jars, the package over it. */
  enum Optional {
    POSTGRESQL("postgresql", "postgresql-", "dev.fencedoutbox.notify."),
    KAFKA("kafka-clients", "kafka-clients-", "dev.fencedoutbox.kafka."),
    MICROMETER("micrometer-core", "micrometer-", "dev.fencedoutbox.micrometer."),
    OPENTELEMETRY("opentelemetry-api", "opentelemetry-", "dev.fencedoutbox.opentelemetry.");

    private final String artifact;
    private final String jars;
    private final String over;

    Optional(String artifact, String jars, String over) {
      this.artifact = artifact;
      this.jars = jars;
      this.over = over;
    }
  }

  @Test
  void optionalDependencies_areThese() throws IOException {
    String pom = Files.readString(Path.of("../outbox-core/pom.xml"));
    List<String> optional =
        Pattern.compile(
                "<artifactId>([^<]+)</artifactId>\\s*(?:<[^/][^<]*</[^>]+>\\s*)*<optional>true")
            .matcher(pom)
            .results()
            .map((MatchResult found) -> found.group(1))
            .toList();

    assertThat(optional)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Optional.values()).map(each -> each.artifact).toList());
  }

  @ParameterizedTest
  @EnumSource
  void withoutOne_allOtherClassesLoad_andOnlyItsPackageDoesNot(Optional missing)
      throws IOException {
    Map<String, Throwable> failed = new HashMap<>();
    try (URLClassLoader without = without(missing)) {
      for (String name : OF_CORE) {
        try {
          load(name, without);
        } catch (ReflectiveOperationException | LinkageError e) {
          failed.put(name, e);
        }
      }
    }

    assertThat(OF_CORE).contains(Relay.class.getName()).hasSizeGreaterThan(50);
    assertThat(failed).isNotEmpty();
    assertThat(failed).allSatisfy((name, e) -> assertThat(name).startsWith(missing.over));
  }

  /** Initializes it, and all types that it declares anything of. */
  private static void load(String name, ClassLoader loader) throws ReflectiveOperationException {
    Class<?> type = Class.forName(name, true, loader);
    assertThat(type.getClassLoader()).isSameAs(loader);
    assertThat(type.getDeclaredMethods()).isNotNull();
    assertThat(type.getDeclaredConstructors()).isNotNull();
    assertThat(type.getDeclaredFields()).isNotNull();
  }

  /** Without the driver there is no database. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "POSTGRESQL")
  void withoutOne_aRelayDelivers(Optional missing) throws Exception {
    DB.clear();
    Fixtures.enqueue(DB.dsl(), Fixtures.message("m1"), Fixtures.message("m2").orderingKey("k"));
    try (URLClassLoader without = without(missing)) {
      Object delivered =
          Class.forName(SmallHost.class.getName(), true, without)
              .getMethod("deliver", String.class)
              .invoke(null, DB.url());

      assertThat(delivered).isEqualTo(2L);
    }
  }

  /** This class path less the jars of one dependency. */
  private static URLClassLoader without(Optional missing) throws MalformedURLException {
    List<URL> left = new ArrayList<>();
    int missed = 0;
    for (File entry : CLASS_PATH) {
      if (entry.getName().startsWith(missing.jars)) {
        missed++;
      } else if (isOursOrOptional(entry)) {
        left.add(entry.toURI().toURL());
      }
    }
    assertThat(missed).as("jars of %s", missing).isPositive();
    return new URLClassLoader(left.toArray(URL[]::new), OTHERS);
  }

  private static boolean isOursOrOptional(File entry) {
    String name = entry.getName();
    return entry.isDirectory()
        || name.startsWith("outbox-")
        || Arrays.stream(Optional.values()).anyMatch(each -> name.startsWith(each.jars));
  }

  /** Everything else, jOOQ above all: it sees none of the optional ones, and is loaded once. */
  private static URLClassLoader others() {
    List<URL> urls = new ArrayList<>();
    for (File entry : CLASS_PATH) {
      if (!isOursOrOptional(entry)) {
        try {
          urls.add(entry.toURI().toURL());
        } catch (MalformedURLException e) {
          throw new IllegalStateException(e);
        }
      }
    }
    return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }
}
