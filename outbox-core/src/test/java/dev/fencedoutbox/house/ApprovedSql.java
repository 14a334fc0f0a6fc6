package dev.fencedoutbox.house;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jooq.DSLContext;
import org.jooq.Query;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * SQL as reviewed, in {@code src/test/resources/sql}: a statement that changes is a change of its
 * file. What the code renders is written to {@code target/sql}, from where it is copied by hand.
 */
public final class ApprovedSql {

  private static final DSLContext RENDERER =
      DSL.using(
          SQLDialect.POSTGRES,
          new Settings().withRenderFormatted(true).withRenderNamedParamPrefix("$"));

  private ApprovedSql() {}

  /** Demands that the statement renders as it stands in the file of that name. */
  public static void assertApproved(String name, Query statement) {
    String rendered = RENDERER.renderNamedParams(statement) + "\n";
    write(Path.of("target/sql", name + ".sql"), rendered);
    assertThat(rendered)
        .as("src/test/resources/sql/%s.sql; if the change is meant, copy target/sql there", name)
        .isEqualTo(approved("/sql/" + name + ".sql"));
  }

  private static @Nullable String approved(String resource) {
    try (@Nullable InputStream file = ApprovedSql.class.getResourceAsStream(resource)) {
      return file == null ? null : new String(file.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Path file, String text) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
