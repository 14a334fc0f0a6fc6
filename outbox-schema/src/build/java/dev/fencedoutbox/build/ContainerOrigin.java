package dev.fencedoutbox.build;

import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** PostgreSQL in a container that Testcontainers starts, and stops too when the JVM ends early. */
final class ContainerOrigin implements Origin {
  private static final String IMAGE = "postgres.image";

  private final PostgreSQLContainer container;

  private ContainerOrigin(PostgreSQLContainer container) {
    this.container = container;
  }

  static ContainerOrigin start() {
    String image = System.getProperty(IMAGE, "postgres:18");
    if (!DockerClientFactory.instance().isDockerAvailable()) {
      throw new PostgresUnavailable(
          "Testcontainers finds no Docker that it can use: no daemon answers (DOCKER_HOST "
              + dockerHost()
              + "), this user may not use it, or client and daemon share no API version.");
    }
    PostgreSQLContainer container =
        new PostgreSQLContainer(DockerImageName.parse(image).asCompatibleSubstituteFor("postgres"));
    container.setCommand("postgres", "-c", "fsync=off", "-c", "max_connections=200");
    try {
      container.start();
    } catch (RuntimeException e) {
      throw new PostgresUnavailable(
          "The image " + image + ", from -D" + IMAGE + ", did not start: " + innermost(e), e);
    }
    return new ContainerOrigin(container);
  }

  private static String dockerHost() {
    String host = System.getenv("DOCKER_HOST");
    return host == null ? "is not set" : host;
  }

  private static String innermost(Throwable failure) {
    Throwable innermost = failure;
    for (Throwable e = failure; e != null; e = e.getCause()) {
      innermost = e;
    }
    return failure.getMessage() + " (" + innermost.getMessage() + ")";
  }

  @Override
  public String adminUrl() {
    return "jdbc:postgresql://"
        + container.getHost()
        + ':'
        + container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT)
        + '/'
        + container.getDatabaseName()
        + "?user="
        + container.getUsername()
        + "&password="
        + container.getPassword();
  }

  @Override
  public boolean outlivesUs() {
    return false;
  }

  @Override
  public void stop() {
    container.stop();
  }
}
