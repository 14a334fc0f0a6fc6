package dev.fencedoutbox.house;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A text as reviewed, in {@code src/test/resources}: what the code makes of it is written to {@code
 * target}, from where it is copied by hand if the change is meant.
 */
final class Approved {

  private Approved() {}

  /** Writes what is, and returns what was approved; the file is a path like {@code sql/one.sql}. */
  static String text(String file, String actual) {
    Path written = Path.of("target", file);
    try (@Nullable InputStream approved = Approved.class.getResourceAsStream("/" + file)) {
      Files.createDirectories(written.resolveSibling("."));
      Files.writeString(written, actual);
      return approved == null ? "" : new String(approved.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What to tell whoever changed it. */
  static String hint(String file) {
    return "src/test/resources/%s; if the change is meant, copy target/%s there"
        .formatted(file, file);
  }
}
