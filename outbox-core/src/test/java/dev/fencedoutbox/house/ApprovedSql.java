package dev.fencedoutbox.house;

import static org.assertj.core.api.Assertions.assertThat;

import org.jooq.DSLContext;
import org.jooq.Query;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;

/** SQL as reviewed: a statement that changes is a change of its file in {@code sql}. */
public final class ApprovedSql {

  private static final DSLContext RENDERER =
      DSL.using(
          SQLDialect.POSTGRES,
          new Settings().withRenderFormatted(true).withRenderNamedParamPrefix("$"));

  private ApprovedSql() {}

  /** Demands that the statement renders as it stands in the file of that name. */
  public static void assertApproved(String name, Query statement) {
    String rendered = RENDERER.renderNamedParams(statement) + "\n";
    String file = "sql/" + name + ".sql";
    assertThat(rendered).as(Approved.hint(file)).isEqualTo(Approved.text(file, rendered));
  }
}
