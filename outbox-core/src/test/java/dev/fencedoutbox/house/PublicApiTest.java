package dev.fencedoutbox.house;

import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaParameterizedType;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.fencedoutbox.lease.Burial;
import dev.fencedoutbox.lease.Claims;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseOutcome;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.OrderedClaims;
import dev.fencedoutbox.lease.RenewOutcome;
import dev.fencedoutbox.lease.Retry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;

/** What a host sees: a change of it is a change of this list. */
class PublicApiTest {

  private static final List<JavaClass> PUBLISHED =
      House.CLASSES.stream()
          .filter(type -> !type.getPackageName().endsWith(".internal"))
          .filter(type -> !type.getPackageName().endsWith(".engine"))
          .filter(PublicApiTest::isVisible)
          .toList();

  /** The tables, their records, keys and indexes. */
  private static final JavaClasses GENERATED =
      new ClassFileImporter().importPackages("dev.fencedoutbox.schema");

  private static final Set<String> CLAIMS =
      Set.of(Claims.class.getName(), OrderedClaims.class.getName());

  private static final JavaClass LEASES = House.CLASSES.get(Leases.class);

  private static final Pattern EXPORT = Pattern.compile("\\s+exports ([a-z.]+);");

  /** All types, and of each all that a caller or a subclass sees. */
  @Test
  void core_isThis() {
    assertApproved(
        "api/outbox-core.txt",
        published("dev.fencedoutbox").filter(type -> !isOfSchema(type)).flatMap(ApiText::of));
  }

  /** The columns are the tables' own, and of records only the types matter. */
  @Test
  void schema_isThis() {
    assertApproved(
        "api/outbox-schema.txt",
        Stream.concat(
            published("dev.fencedoutbox.migration").flatMap(ApiText::of),
            GENERATED.stream().map(JavaClass::reflect).flatMap(ApiText::ofFields)));
  }

  /** A package that is public by oversight, or that a host with modules cannot see. */
  @Test
  void exports_areTheRoomsOfTheApi() throws IOException {
    assertThat(exported(Path.of("src/main/java")))
        .containsExactlyInAnyOrderElementsOf(
            packages(PUBLISHED.stream().filter(type -> !isOfSchema(type.reflect()))));
    assertThat(exported(Path.of("../outbox-schema/src/main/java")))
        .containsExactlyInAnyOrderElementsOf(
            packages(
                Stream.concat(
                    PUBLISHED.stream().filter(type -> isOfSchema(type.reflect())),
                    GENERATED.stream())));
  }

  /** Such a type could not be named by a host. */
  @Test
  void signatures_mentionNothingThatIsNotExported() {
    assertThat(publicMethods())
        .allSatisfy(
            method ->
                assertThat(
                        mentioned(
                            Stream.concat(
                                    Stream.of(method.getReturnType()),
                                    method.getParameterTypes().stream())
                                .toList()))
                    .noneMatch(
                        name -> name.matches("dev[.]fencedoutbox[.](engine|internal)[.].*")));
  }

  @Test
  void publicMethods_takeAtMostFourParametersAndNoBoolean() {
    assertThat(publicMethods())
        .isNotEmpty()
        .allSatisfy(
            method -> {
              assertThat(method.getRawParameterTypes()).hasSizeLessThanOrEqualTo(4);
              assertThat(method.getRawParameterTypes())
                  .noneMatch(type -> type.isEquivalentTo(boolean.class));
            });
  }

  /** A bare key proves nothing. */
  @Test
  void writes_takeTheProof() {
    assertThat(writes())
        .hasSizeGreaterThan(10)
        .allSatisfy(
            write ->
                assertThat(mentioned(write.getParameterTypes()))
                    .containsAnyOf(
                        Lease.class.getName(), Retry.class.getName(), Burial.class.getName()));
  }

  /** The caller cannot overlook that nothing was written. */
  @Test
  void writes_returnOutcomes() {
    assertThat(writes())
        .allSatisfy(
            write ->
                assertThat(mentioned(List.of(write.getReturnType())))
                    .containsAnyOf(
                        LeaseOutcome.class.getName(),
                        RenewOutcome.class.getName(),
                        EffectOutcome.class.getName()));
  }

  @Test
  void claims_areTheOnlyOtherCalls() {
    assertThat(publicMethods(LEASES))
        .filteredOn(method -> takes(method, DSLContext.class) && !writes().contains(method))
        .extracting(JavaMethod::getName)
        .containsExactlyInAnyOrder("claim", "claimByKey", "claimInOrder");
  }

  private static void assertApproved(String file, Stream<String> lines) {
    String actual = lines.sorted().collect(joining("\n", "", "\n"));
    assertThat(actual.lines())
        .as(Approved.hint(file))
        .containsExactlyElementsOf(Approved.text(file, actual).lines().toList());
  }

  private static Stream<Class<?>> published(String under) {
    return PUBLISHED.stream()
        .filter(type -> type.getPackageName().startsWith(under))
        .map(JavaClass::reflect);
  }

  private static boolean isOfSchema(Class<?> type) {
    return type.getPackageName().equals("dev.fencedoutbox.migration");
  }

  private static Set<String> packages(Stream<JavaClass> types) {
    return types.map(JavaClass::getPackageName).collect(toSet());
  }

  private static List<String> exported(Path sources) throws IOException {
    return EXPORT
        .matcher(Files.readString(sources.resolve("module-info.java")))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private static List<JavaMethod> writes() {
    return publicMethods(LEASES).stream()
        .filter(method -> takes(method, DSLContext.class))
        .filter(method -> !CLAIMS.contains(method.getRawReturnType().getName()))
        .toList();
  }

  private static boolean takes(JavaMethod method, Class<?> type) {
    return method.getRawParameterTypes().stream().anyMatch(given -> given.isEquivalentTo(type));
  }

  private static List<JavaMethod> publicMethods() {
    return PUBLISHED.stream().flatMap(type -> publicMethods(type).stream()).toList();
  }

  private static List<JavaMethod> publicMethods(JavaClass type) {
    return type.getMethods().stream()
        .filter(method -> method.getModifiers().contains(PUBLIC))
        .filter(method -> !method.getName().equals("equals"))
        .toList();
  }

  private static Set<String> mentioned(List<? extends JavaType> types) {
    return types.stream().flatMap(PublicApiTest::arguments).collect(toSet());
  }

  private static Stream<String> arguments(JavaType type) {
    Stream<String> self = Stream.of(type.toErasure().getName());
    return type instanceof JavaParameterizedType parameterized
        ? Stream.concat(
            self, parameterized.getActualTypeArguments().stream().flatMap(PublicApiTest::arguments))
        : self;
  }

  private static boolean isVisible(JavaClass type) {
    return type.getModifiers().contains(PUBLIC)
        && type.getEnclosingClass().map(PublicApiTest::isVisible).orElse(true);
  }
}
