package dev.fencedoutbox.it.proofs;

import dev.fencedoutbox.it.support.TestDatabase;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import org.jooq.codegen.GenerationTool;
import org.jooq.meta.jaxb.Configuration;

/** Generates classes from a changed database as the build does from the migrated one. */
enum Generation {
  LIBRARY(Path.of("../outbox-schema/src/build/jooq.xml")),
  SHOP(Path.of("src/build/jooq.xml"));

  /** One for all: each change is seen in the transaction that makes it, and nowhere else. */
  private static final TestDatabase DATABASE = TestDatabase.create();

  private final Path configurationFile;

  Generation(Path configurationFile) {
    this.configurationFile = configurationFile;
  }

  /**
   * Generates what {@code sql} would leave, takes it back, and returns the directory of the
   * classes.
   */
  Path after(String sql, Path directory) throws Exception {
    try (Connection connection = DATABASE.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(sql);
      Configuration configuration = configuration();
      configuration.getGenerator().getTarget().withDirectory(directory.toString());
      GenerationTool tool = new GenerationTool();
      tool.setConnection(connection);
      tool.run(configuration);
      connection.rollback();
    }
    return directory;
  }

  private Configuration configuration() throws Exception {
    try (InputStream file = Files.newInputStream(configurationFile)) {
      return GenerationTool.load(file);
    }
  }
}
