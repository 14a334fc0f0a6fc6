package dev.fencedoutbox.it.proofs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.jooq.Param;
import org.jooq.Query;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;

/** What a statement really did, as PostgreSQL explains it after having run it. */
record Explained(JsonNode plan, String text) {

  /** How a prepared statement is planned: for no value in particular, or for those it is given. */
  enum PlanCacheMode {
    FORCE_GENERIC_PLAN,
    FORCE_CUSTOM_PLAN
  }

  private static final Pattern PLACEHOLDER = Pattern.compile("[$]\\d+");

  private static final DSLContext RENDERER =
      DSL.using(SQLDialect.POSTGRES, new Settings().withRenderNamedParamPrefix("$"));

  /** Runs the statement, prepared with its binds, as a driver does that prepares on the server. */
  static Explained of(Connection connection, PlanCacheMode mode, Query query) throws SQLException {
    String prepared = RENDERER.renderNamedParams(query);
    String binds = binds(prepared, query);
    try (Statement statement = connection.createStatement()) {
      statement.execute("deallocate all");
      statement.execute("set plan_cache_mode = " + mode);
      statement.execute("prepare measured as " + prepared);
      return explained(
          statement,
          "explain (analyze, buffers, wal, format json) execute measured"
              + (binds.isEmpty() ? "" : "(" + binds + ")"));
    }
  }

  /** jOOQ names the elements of an array behind ANY, which it sends as one value. */
  private static String binds(String prepared, Query query) {
    List<Param<?>> values =
        query.getParams().values().stream().filter(param -> !param.isInline()).toList();
    long sent = PLACEHOLDER.matcher(prepared).results().count();
    List<String> binds = new ArrayList<>();
    for (int next = 0; binds.size() < sent; ) {
      int left = (int) sent - binds.size() - 1;
      int here = Math.max(1, values.size() - next - left);
      List<Param<?>> elements = values.subList(next, next + here);
      boolean array =
          prepared.contains("any (cast($" + (binds.size() + 1) + " as ")
              && !values.get(next).getDataType().isArray();
      String bind =
          (array ? elements : elements.subList(0, 1))
              .stream().map(RENDERER::renderInlined).collect(Collectors.joining(", "));
      binds.add(array ? "array[" + bind + "]" : bind);
      next += array ? here : 1;
    }
    return String.join(", ", binds);
  }

  private static Explained explained(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      String json = rows.getString(1);
      return new Explained(new ObjectMapper().readTree(json).get(0).get("Plan"), json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Pages of shared buffers that were looked at, the statement's own writes included. */
  long buffers() {
    return plan.get("Shared Hit Blocks").asLong() + plan.get("Shared Read Blocks").asLong();
  }

  /** Bytes of write-ahead log, the commit not included. */
  long walBytes() {
    return plan.get("WAL Bytes").asLong();
  }

  /** Rows returned. */
  long rows() {
    return Math.round(plan.get("Actual Rows").asDouble());
  }

  /** The types of all nodes, with the index or table of scans: {@code Index Scan delivery_due}. */
  List<String> nodes() {
    List<String> nodes = new ArrayList<>();
    collect(plan, nodes);
    return nodes;
  }

  private static void collect(JsonNode node, List<String> into) {
    String object = node.path("Index Name").asText(node.path("Relation Name").asText(""));
    into.add((node.get("Node Type").asText() + " " + object).strip());
    node.path("Plans").forEach(child -> collect(child, into));
  }
}
