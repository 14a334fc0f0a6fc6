package dev.fencedoutbox.it.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fencedoutbox.build.PostgresServer;
import dev.fencedoutbox.build.PostgresUnavailable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.testcontainers.DockerClientFactory;

/** Cases 44 and 45: where no server can be had, the message says what to do about it. */
class PostgresServerTest {
  @AfterEach
  void anyPortAgain() {
    System.clearProperty("postgres.port");
  }

  @Test
  void start_unknownChoice_namesIt() {
    assertThat(messageOf("sqlite")).startsWith("-Dpostgres=sqlite names no server.");
  }

  @Test
  void start_nothingListensAtTheUrl_namesTheUrlWithoutItsPassword() throws IOException {
    int port = aFreePort();

    String message =
        messageOf("jdbc:postgresql://localhost:" + port + "/shop?user=ann&password=secret");

    assertThat(message)
        .startsWith(
            "No connection to jdbc:postgresql://localhost:"
                + port
                + "/shop?user=ann&password=*** (SQLSTATE 08001)")
        .doesNotContain("secret");
  }

  @Test
  void start_portInUse_namesThePort() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      System.setProperty("postgres.port", Integer.toString(taken.getLocalPort()));

      assertThat(messageOf("embedded"))
          .contains("port " + taken.getLocalPort() + ", from -Dpostgres.port, is not free");
    }
  }

  @Test
  void start_portIsNoNumber_namesIt() {
    System.setProperty("postgres.port", "http");

    assertThat(messageOf("embedded")).startsWith("-Dpostgres.port=http is no port");
  }

  @Test
  void start_noDocker_saysSo() {
    assumeFalse(DockerClientFactory.instance().isDockerAvailable(), "Docker is here");

    assertThat(messageOf("testcontainers")).startsWith("Testcontainers finds no Docker");
  }

  @Test
  void start_wrongPasswordOrRight_showsWhatTheServerSaidAndTheCure() throws SQLException {
    try (PostgresServer server = PostgresServer.startConfigured()) {
      String url = server.createDatabase("server_test");
      assumeTrue(mayCreateRoles(url), "the server's user may not create roles");
      String role = "guest_" + url.replaceAll(".*server_test_(\\w+).*", "$1");
      execute(url, "create role " + role + " login password 'pw'");
      try {
        String guest =
            url.replaceAll("user=[^&]*", "user=" + role)
                .replaceAll("password=[^&]*", "password=pw");

        assertThat(messageOf(guest))
            .contains("The user " + role, "may not create databases", "CREATEDB;")
            .doesNotContain("password=pw");
        assertThat(messageOf(guest.replace(role, "nobody_at_all"))).contains("nobody_at_all");
      } finally {
        execute(url, "drop role " + role);
      }
    }
  }

  @Test
  void createDatabase_fromATemplate_copiesIt() throws SQLException {
    try (PostgresServer server = PostgresServer.startConfigured()) {
      String original = server.createDatabase("original");
      execute(original, "create table kept (id int)");

      String copy = server.createDatabase("copy", original);

      execute(copy, "insert into kept values (1)");
    }
  }

  @Test
  @SuppressWarnings("try") // closed while somebody is connected, which is the point
  void close_onAServerOfSomebodyElse_dropsWhatItCreatedEvenWhenInUse() throws SQLException {
    try (PostgresServer owner = PostgresServer.startConfigured()) {
      try (PostgresServer visitor = PostgresServer.start(owner.adminUrl());
          Connection user = DriverManager.getConnection(visitor.createDatabase("visited"))) {
        assertThat(user.isValid(1)).isTrue();
        assertThat(databases(owner, "visited_%")).isEqualTo(1);
        visitor.close();
      }
      assertThat(databases(owner, "visited_%")).isZero();
    }
  }

  /** Each failure names the three ways out. */
  private static String messageOf(String choice) {
    PostgresUnavailable failure =
        catchThrowableOfType(PostgresUnavailable.class, () -> PostgresServer.start(choice).close());
    assertThat(failure)
        .hasMessageContainingAll(
            "-Dpostgres=embedded",
            "-Dpostgres=testcontainers",
            "-Dpostgres=jdbc:postgresql://HOST:PORT/DATABASE?user=USER&password=PASSWORD");
    return String.valueOf(failure.getMessage());
  }

  private static int aFreePort() throws IOException {
    try (ServerSocket probe = new ServerSocket(0)) {
      return probe.getLocalPort();
    }
  }

  private static void execute(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static boolean mayCreateRoles(String url) throws SQLException {
    return count(
            url,
            "select count(*) from pg_roles"
                + " where rolname = current_user and (rolsuper or rolcreaterole)")
        == 1;
  }

  private static long databases(PostgresServer server, String pattern) throws SQLException {
    return count(
        server.adminUrl(), "select count(*) from pg_database where datname like '" + pattern + "'");
  }

  private static long count(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
