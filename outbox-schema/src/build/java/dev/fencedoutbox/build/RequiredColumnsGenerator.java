package dev.fencedoutbox.build;

import java.util.List;
import java.util.stream.Collectors;
import org.jooq.codegen.GeneratorStrategy.Mode;
import org.jooq.codegen.JavaGenerator;
import org.jooq.codegen.JavaWriter;
import org.jooq.meta.ColumnDefinition;
import org.jooq.meta.TableDefinition;

/**
 * Adds to each record class a static method {@code required(...)} with one parameter for each
 * column that an insert must give. Inserts start from it, so a new {@code NOT NULL} column without
 * default breaks their compilation, and a new column that may be left out does not.
 */
public final class RequiredColumnsGenerator extends JavaGenerator {

  @Override
  protected void generateRecordClassFooter(TableDefinition table, JavaWriter out) {
    List<ColumnDefinition> required =
        table.getColumns().stream().filter(RequiredColumnsGenerator::isRequired).toList();
    if (required.isEmpty() || table.isView()) {
      return;
    }
    String field = out.ref("org.jooq.Field");
    String map = out.ref("java.util.Map");
    String parameters =
        required.stream()
            .map(column -> field + "<" + typeOf(column, out) + "> " + parameterOf(column))
            .collect(Collectors.joining(", "));
    out.println();
    out.javadoc(
        "The columns that an insert must give, each with its value, to which others may be added");
    out.println("public static %s<%s<?>, %s<?>> required(%s) {", map, field, field, parameters);
    out.println(
        "final %s<%s<?>, %s<?>> columns = new %s<>();",
        map, field, field, out.ref("java.util.LinkedHashMap"));
    for (ColumnDefinition column : required) {
      out.println(
          "columns.put(%s.%s, %s);",
          out.ref(getStrategy().getFullJavaClassName(table)),
          getStrategy().getJavaIdentifier(table) + "." + getStrategy().getJavaIdentifier(column),
          parameterOf(column));
    }
    out.println("return columns;");
    out.println("}");
  }

  private static boolean isRequired(ColumnDefinition column) {
    return !column.getType().isNullable()
        && !column.getType().isDefaulted()
        && !column.getType().isIdentity()
        && !column.getType().isComputed();
  }

  private String typeOf(ColumnDefinition column, JavaWriter out) {
    return out.ref(getJavaType(column.getType(resolver(out)), out));
  }

  private String parameterOf(ColumnDefinition column) {
    return getStrategy().getJavaMemberName(column, Mode.DEFAULT);
  }
}
