package dev.fencedoutbox.it.proofs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fencedoutbox.it.app.ShopDatabase;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.migration.OutboxMigrations;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * What the compiler says to sources that are compiled without the classes that this build has made
 * from them.
 *
 * @param errors none if it compiled
 */
record Compilation(List<CompileError> errors) {

  /** One error: the file's name, and the message with the line of source that it is about. */
  record CompileError(String file, String text) {}

  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** One for all, since it remembers what stands in the jars; they are compiled one by one. */
  private static final StandardJavaFileManager FILES =
      COMPILER.getStandardFileManager(null, Locale.ROOT, UTF_8);

  /** Compiles all Java files under {@code sources} against third parties and {@code more}. */
  static Compilation of(List<Path> sources, Path... more) {
    return of(sources, FILES, more);
  }

  /** Compiles likewise, but sees only those compiled classes that are {@code visible}, by name. */
  static Compilation of(List<Path> sources, Predicate<String> visible, Path... more) {
    return of(sources, new Seen(visible), more);
  }

  private static Compilation of(List<Path> sources, JavaFileManager manager, Path... more) {
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    List<String> options =
        List.of(
            "-proc:none",
            "-nowarn",
            "--should-stop=ifNoError=FLOW", // the last step that finds errors; no class is written
            "-cp",
            classPath(more));
    COMPILER
        .getTask(
            null,
            manager,
            problems,
            options,
            null,
            FILES.getJavaFileObjectsFromPaths(java(sources)))
        .call();
    return new Compilation(
        problems.getDiagnostics().stream()
            .filter(problem -> problem.getKind() == Diagnostic.Kind.ERROR)
            .map(Compilation::error)
            .toList());
  }

  private static final class Seen extends ForwardingJavaFileManager<StandardJavaFileManager> {

    private final Predicate<String> visible;

    Seen(Predicate<String> visible) {
      super(FILES);
      this.visible = visible;
    }

    @Override
    public Iterable<JavaFileObject> list(
        Location location, String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse)
        throws IOException {
      Iterable<JavaFileObject> all = super.list(location, packageName, kinds, recurse);
      if (location != StandardLocation.CLASS_PATH) {
        return all;
      }
      List<JavaFileObject> seen = new ArrayList<>();
      all.forEach(
          file -> {
            if (visible.test(inferBinaryName(location, file))) {
              seen.add(file);
            }
          });
      return seen;
    }
  }

  private static CompileError error(Diagnostic<? extends JavaFileObject> problem) {
    JavaFileObject source = problem.getSource();
    return source == null
        ? new CompileError("", problem.getMessage(Locale.ROOT))
        : new CompileError(Path.of(source.getName()).getFileName().toString(), problem.toString());
  }

  private static List<Path> java(List<Path> roots) {
    List<Path> all = new ArrayList<>();
    for (Path root : roots) {
      try (Stream<Path> files = Files.walk(root)) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(all::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return all;
  }

  private static String classPath(Path... more) {
    Set<Path> built =
        Stream.of(OutboxMigrations.class, Leases.class, ShopDatabase.class, Compilation.class)
            .map(Compilation::location)
            .collect(Collectors.toSet());
    return Stream.concat(
            Arrays.stream(more),
            Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toAbsolutePath().normalize())
                .filter(entry -> !built.contains(entry)))
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Where the build has put it. */
  static Path location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toAbsolutePath()
          .normalize();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
