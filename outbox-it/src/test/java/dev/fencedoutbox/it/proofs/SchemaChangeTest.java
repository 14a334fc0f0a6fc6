package dev.fencedoutbox.it.proofs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.proofs.Compilation.CompileError;
import dev.fencedoutbox.it.support.Proofs;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.migration.OutboxMigrations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A change of the schema stops the compiler, in the code that it concerns. */
@Tag(Proofs.SHORTENED)
class SchemaChangeTest {

  private static final Path CORE = Path.of("../outbox-core/src/main/java");
  private static final Path SHOP = Path.of("src/main/java/dev/fencedoutbox/it/app");

  @TempDir Path directory;

  static List<SchemaChange> ofTheLibrary() {
    return Proofs.everyNth(5, SchemaChange.ofTheLibrary());
  }

  static List<SchemaChange> ofTheShop() {
    return SchemaChange.ofTheShop();
  }

  static List<SchemaChange> benign() {
    return Proofs.everyNth(3, SchemaChange.benign());
  }

  /** Errors in other files would not count, so no other file that knows the schema is compiled. */
  @ParameterizedTest(name = "{0}: does not compile")
  @MethodSource
  void ofTheLibrary(SchemaChange change) throws Exception {
    Path generated = generated(Generation.LIBRARY, change);
    List<Path> concerned =
        knowingTheSchema().stream().filter(file -> file.endsWith(change.file())).toList();
    assertThat(concerned).hasSize(1);
    assertThat(compiledWithCore(generated, concerned).errors())
        .satisfies(errors -> names(errors, change));
  }

  @ParameterizedTest(name = "{0}: does not compile")
  @MethodSource
  void ofTheShop(SchemaChange change) throws Exception {
    Path generated = generated(Generation.SHOP, change);
    assertThat(compiledShop(generated).errors()).satisfies(errors -> names(errors, change));
  }

  @ParameterizedTest(name = "{0}: compiles")
  @MethodSource
  void benign(SchemaChange change) throws Exception {
    Path generated = generated(Generation.LIBRARY, change);
    assertThat(compiledWithCore(generated, knowingTheSchema()).errors()).isEmpty();
  }

  @Test
  void unchangedShop_compiles() throws Exception {
    Path generated = Generation.SHOP.after("select", directory.resolve("generated"));
    assertThat(compiledShop(generated).errors()).isEmpty();
  }

  /** What this proof cannot see, and why a rule of outbox-core forbids names in strings. */
  @Test
  void nameInString_compilesAgainstChangedSchema() throws Exception {
    Path loose = Files.createDirectories(directory.resolve("loose")).resolve("Loose.java");
    Files.writeString(
        loose,
        """
        import org.jooq.impl.DSL;

        class Loose {
          Object sql =
              DSL.select(DSL.field("last_error")).from(dev.fencedoutbox.schema.Tables.DELIVERY);
        }
        """);
    Path generated =
        Generation.LIBRARY.after(
            "alter table outbox.delivery rename last_error to failure",
            directory.resolve("generated"));
    Compilation compiled = Compilation.of(List.of(generated, loose));
    assertThat(compiled.errors()).isEmpty();
  }

  private Path generated(Generation generation, SchemaChange change) throws Exception {
    return generation.after(change.sql(), directory.resolve("generated"));
  }

  /** Against the rest of outbox-core, which no change can break. */
  private static Compilation compiledWithCore(Path directory, List<Path> knowing)
      throws IOException {
    Generated generated = Generated.in(directory);
    List<Path> sources = new ArrayList<>(knowing);
    sources.addAll(generated.changed());
    return Compilation.of(
        sources,
        generated::leavesAsBuilt,
        Compilation.location(Leases.class),
        Compilation.location(OutboxMigrations.class));
  }

  private static Compilation compiledShop(Path generated) {
    return Compilation.of(
        List.of(generated, SHOP),
        Compilation.location(Leases.class),
        Compilation.location(OutboxMigrations.class));
  }

  /** All of outbox-core that knows the schema. */
  private static List<Path> knowingTheSchema() throws IOException {
    List<Path> knowing = new ArrayList<>();
    try (Stream<Path> files = Files.walk(CORE)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.endsWith("module-info.java") // compiled as a host on the class path sees it
            && Files.readString(file).contains("dev.fencedoutbox.schema")) {
          knowing.add(file);
        }
      }
    }
    assertThat(knowing).hasSizeGreaterThan(5);
    return knowing;
  }

  private static void names(List<? extends CompileError> errors, SchemaChange change) {
    assertThat(errors)
        .anySatisfy(
            error -> {
              assertThat(error.file()).isEqualTo(change.file());
              assertThat(error.text()).contains(change.symbol());
            });
  }
}
