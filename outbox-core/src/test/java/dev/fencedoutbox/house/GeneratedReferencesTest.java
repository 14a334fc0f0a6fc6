package dev.fencedoutbox.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import java.util.List;
import java.util.Set;
import org.jooq.Name;
import org.jooq.PlainSQL;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** What is written in strings, a changed schema cannot break. */
class GeneratedReferencesTest {

  /** But for what jOOQ has rendered of a typed statement and is sent again. */
  @Test
  void sql_isNeverText() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("dev.fencedoutbox.internal.Rendered")
        .should()
        .accessTargetWhere(
            target(
                "a method that takes SQL as text",
                method -> method.isAnnotatedWith(PlainSQL.class)))
        .because("the compiler does not read strings: a renamed column would break at run time")
        .check(House.CLASSES);
  }

  @Test
  void columnsAndTables_areNeverNamedByStrings() {
    noClasses()
        .should()
        .accessTargetWhere(
            target(
                "DSL.field or DSL.table by name, or a look-up of a field by name",
                method ->
                    (named(method, DSL.class, "field", "table")
                            && firstIs(method, String.class, Name.class))
                        || (named(method, org.jooq.Fields.class, "field", "indexOf", "dataType")
                            && firstIs(method, String.class, Name.class))))
        .because(
            "a generated reference breaks compilation when the schema changes, a name does not")
        .check(House.CLASSES);
  }

  @Test
  void rows_areReadByGeneratedFields() {
    noClasses()
        .should()
        .accessTargetWhere(
            target(
                "a row read by name, by position, or by reflection",
                method ->
                    (named(method, org.jooq.Record.class, "get", "getValue", "set", "setValue")
                            && firstIs(method, String.class, Name.class, int.class))
                        || (readsRows(method)
                            && Set.of("into", "fetchInto", "fetchAnyInto", "fetchOneInto")
                                .contains(method.getName())
                            && firstIs(method, Class.class))))
        .because("a retyped or dropped column must break the code that reads it")
        .check(House.CLASSES);
  }

  @Test
  void rows_areWrittenByStatements() {
    noClasses()
        .should()
        .accessTargetWhere(
            target(
                "UpdatableRecord.store, insert, update, merge, refresh or delete",
                method ->
                    method.getOwner().isAssignableTo(org.jooq.UpdatableRecord.class)
                        && Set.of("store", "insert", "update", "merge", "refresh", "delete")
                            .contains(method.getName())))
        .because("a record writes by its key alone, without the epoch")
        .check(House.CLASSES);
  }

  private static DescribedPredicate<JavaAccess<?>> target(
      String description, java.util.function.Predicate<JavaCodeUnit> predicate) {
    return describe(
        description,
        access ->
            access.getTarget().resolveMember().filter(JavaCodeUnit.class::isInstance).stream()
                .map(JavaCodeUnit.class::cast)
                .anyMatch(predicate));
  }

  private static boolean named(JavaCodeUnit method, Class<?> owner, String... names) {
    return method.getOwner().isAssignableTo(owner) && List.of(names).contains(method.getName());
  }

  private static boolean readsRows(JavaCodeUnit method) {
    return method.getOwner().getPackageName().startsWith("org.jooq");
  }

  private static boolean firstIs(JavaCodeUnit method, Class<?>... types) {
    List<JavaClass> parameters = method.getRawParameterTypes();
    return !parameters.isEmpty()
        && List.of(types).stream().anyMatch(type -> parameters.get(0).isEquivalentTo(type));
  }
}
