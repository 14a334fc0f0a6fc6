package dev.fencedoutbox.it.proofs;

import com.zaxxer.hikari.HikariDataSource;
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

  private final Path configurationFile;

  Generation(Path configurationFile) {
    this.configurationFile = configurationFile;
  }

  /** Runs {@code sql} in a database of its own, and returns the directory of the classes. */
  Path after(String sql, Path directory) throws Exception {
    TestDatabase database = TestDatabase.create();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
      Configuration configuration = configuration();
      configuration.getGenerator().getTarget().withDirectory(directory.toString());
      GenerationTool tool = new GenerationTool();
      tool.setConnection(connection);
      tool.run(configuration);
    } finally {
      ((HikariDataSource) database.pool()).close();
    }
    return directory;
  }

  private Configuration configuration() throws Exception {
    try (InputStream file = Files.newInputStream(configurationFile)) {
      return GenerationTool.load(file);
    }
  }
}
