package dev.fencedoutbox.it.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencedoutbox.it.support.TestDatabase;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Every named constraint is violated by name, each from rows that are otherwise good. */
class ConstraintsTest {
  static final TestDatabase DB = TestDatabase.create();

  private static final String MESSAGE =
      "insert into outbox.message (event_id, topic, content_type, ordering_key, headers,"
          + " payload_json, payload_bytes) values ";
  private static final String DELIVERY =
      "insert into outbox.delivery (message_id, channel, status, lease_until, lease_owner,"
          + " next_attempt_at, epoch, attempts, ordering_key) values ";
  private static final String RECEIPT =
      "insert into outbox.receipt (message_id, delivery_id, epoch, attempts, channel) values ";
  private static final String INBOX = "insert into outbox.inbox (consumer, event_id) values ";
  private static final String ACTION =
      "insert into outbox.operator_action (id, verb, who, why, delivery_id, new_delivery_id,"
          + " message_id, epoch, attempts, event_id, topic, channel) overriding system value values"
          + " ";
  private static final String JOB =
      "insert into outbox.job (kind, job_key, status, next_attempt_at, lease_until, ended_at,"
          + " cancel_reason, result, input) values ";
  private static final String JOB_ACTION =
      "insert into outbox.job_action (id, verb, who, why, job_id, epoch, attempts, kind, job_key)"
          + " overriding system value values ";
  private static final String NEVER = "'9999-12-31 00:00:00+00'";

  /** Of id, verb, who, why, delivery_id, new_delivery_id. */
  private static String action(String values) {
    return ACTION + "(" + values + ", 1, 1, 1, 'e', 't', 'c')";
  }

  /** Of job_key, status, next_attempt_at, lease_until, ended_at, cancel_reason, result. */
  private static String job(String values) {
    return JOB + "('good', " + values + ", '{}')";
  }

  /** Of id, verb, who, why. */
  private static String jobAction(String values) {
    return JOB_ACTION + "(" + values + ", 1, 1, 1, 'k', 'j')";
  }

  /** Named as in the migration. */
  enum Constraint {
    MESSAGE_PK(
        "insert into outbox.message (id, event_id, topic, content_type, payload_json)"
            + " overriding system value select id, 'other', topic, content_type, payload_json"
            + " from outbox.message"),
    MESSAGE_EVENT_ID_UNIQUE(MESSAGE + "('good', 't', 'c', null, null, '1', null)"),
    MESSAGE_EVENT_ID_LENGTH(
        MESSAGE + "('', 't', 'c', null, null, '1', null)",
        MESSAGE + "(repeat('\uD83D\uDE80', 256), 't', 'c', null, null, '1', null)"),
    MESSAGE_TOPIC_LENGTH(
        MESSAGE + "('e', '', 'c', null, null, '1', null)",
        MESSAGE + "('e', repeat('t', 256), 'c', null, null, '1', null)"),
    MESSAGE_CONTENT_TYPE_LENGTH(
        MESSAGE + "('e', 't', '', null, null, '1', null)",
        MESSAGE + "('e', 't', repeat('c', 256), null, null, '1', null)"),
    MESSAGE_ORDERING_KEY_LENGTH(
        MESSAGE + "('e', 't', 'c', '', null, '1', null)",
        MESSAGE + "('e', 't', 'c', repeat('k', 256), null, '1', null)"),
    MESSAGE_HEADERS_OBJECT(
        MESSAGE + "('e', 't', 'c', null, '[]', '1', null)",
        MESSAGE + "('e', 't', 'c', null, 'null', '1', null)",
        MESSAGE + "('e', 't', 'c', null, '\"text\"', '1', null)"),
    MESSAGE_ONE_PAYLOAD(
        MESSAGE + "('e', 't', 'c', null, null, null, null)",
        MESSAGE + "('e', 't', 'c', null, null, '1', '')"),

    DELIVERY_PK(
        "insert into outbox.delivery (id, message_id, channel) overriding system value"
            + " select id, message_id, 'other' from outbox.delivery"),
    DELIVERY_MESSAGE_FK(
        DELIVERY + "(-1, 'other', 'READY', null, null, now(), 0, 0, null)",
        "update outbox.delivery set message_id = -1",
        "delete from outbox.message"),
    DELIVERY_ONE_PER_CHANNEL(DELIVERY + "(%1$s, 'good', 'READY', null, null, now(), 0, 0, null)"),
    DELIVERY_LEASED_IFF_INPROGRESS(
        DELIVERY + "(%1$s, 'other', 'INPROGRESS', null, null, now(), 1, 1, null)",
        DELIVERY + "(%1$s, 'other', 'READY', now(), null, now(), 1, 1, null)",
        DELIVERY + "(%1$s, 'other', 'DEAD', now(), null, " + NEVER + ", 1, 1, null)",
        "update outbox.delivery set status = 'INPROGRESS'"),
    DELIVERY_OWNER_ONLY_IF_LEASED(
        DELIVERY + "(%1$s, 'other', 'READY', null, 'ann', now(), 1, 1, null)",
        DELIVERY + "(%1$s, 'other', 'DEAD', null, 'ann', " + NEVER + ", 1, 1, null)",
        "update outbox.delivery set lease_owner = 'ann'"),
    DELIVERY_DEAD_IFF_NEVER_DUE(
        DELIVERY + "(%1$s, 'other', 'DEAD', null, null, now(), 1, 1, null)",
        DELIVERY + "(%1$s, 'other', 'DEAD', null, null, 'infinity', 1, 1, null)",
        DELIVERY + "(%1$s, 'other', 'READY', null, null, " + NEVER + ", 1, 1, null)",
        "update outbox.delivery set status = 'DEAD'"),
    DELIVERY_EPOCH_NOT_NEGATIVE("update outbox.delivery set epoch = -1"),
    DELIVERY_ATTEMPTS_NOT_NEGATIVE("update outbox.delivery set attempts = -1"),
    DELIVERY_CHANNEL_LENGTH(
        "update outbox.delivery set channel = ''",
        "update outbox.delivery set channel = repeat('c', 256)"),
    DELIVERY_ORDERING_KEY_LENGTH(
        "update outbox.delivery set ordering_key = ''",
        "update outbox.delivery set ordering_key = repeat('k', 256)"),

    RECEIPT_PK(RECEIPT + "(1, 1, 2, 2, 'other')"),
    RECEIPT_EPOCH_POSITIVE(RECEIPT + "(2, 2, 0, 1, 'c')"),
    RECEIPT_ATTEMPTS_POSITIVE(RECEIPT + "(2, 2, 1, 0, 'c')"),

    INBOX_PK(INBOX + "('good', 'good')"),
    INBOX_CONSUMER_LENGTH(INBOX + "('', 'e')", INBOX + "(repeat('c', 256), 'e')"),
    INBOX_EVENT_ID_LENGTH(INBOX + "('c', '')", INBOX + "('c', repeat('e', 256))"),

    OPERATOR_ACTION_PK(action("1, 'DISCARD', 'ann', 'why', 1, null")),
    OPERATOR_ACTION_WHO_LENGTH(
        action("2, 'DISCARD', '', 'why', 1, null"),
        action("2, 'DISCARD', repeat('w', 256), 'why', 1, null")),
    OPERATOR_ACTION_WHY_LENGTH(
        action("2, 'DISCARD', 'ann', '', 1, null"),
        action("2, 'DISCARD', 'ann', repeat('w', 2001), 1, null")),
    OPERATOR_ACTION_NEW_IF_REPLAYED(action("2, 'REPLAY', 'ann', 'why', 1, null")),
    OPERATOR_ACTION_NEW_ONLY_IF_DONE(
        action("2, 'DISCARD', 'ann', 'why', 1, 2"), action("2, 'SKIP', 'ann', 'why', 1, 2")),
    OPERATOR_ACTION_NEW_IS_ANOTHER(
        action("2, 'REDRIVE', 'ann', 'why', 2, 2"), action("2, 'REPLAY', 'ann', 'why', 2, 1")),

    JOB_PK(
        "insert into outbox.job (id, kind, job_key, input) overriding system value"
            + " select id, kind, 'other', input from outbox.job"),
    JOB_KIND_KEY_UNIQUE(job("'good', 'READY', now(), null, null, null, null")),
    JOB_LEASED_IFF_INPROGRESS(
        job("'k', 'INPROGRESS', now(), null, null, null, null"),
        job("'k', 'READY', now(), now(), null, null, null")),
    JOB_OWNER_ONLY_IF_LEASED("update outbox.job set lease_owner = 'ann'"),
    JOB_OVER_IFF_NEVER_DUE(
        job("'k', 'DONE', now(), null, now(), null, null"),
        job("'k', 'DEAD', now(), null, null, null, null"),
        job("'k', 'CANCELLED', now(), null, now(), 'why', null"),
        job("'k', 'READY', " + NEVER + ", null, null, null, null")),
    JOB_ENDED_IFF_FINAL(
        job("'k', 'DONE', " + NEVER + ", null, null, null, null"),
        job("'k', 'CANCELLED', " + NEVER + ", null, null, 'why', null"),
        job("'k', 'DEAD', " + NEVER + ", null, now(), null, null"),
        job("'k', 'READY', now(), null, now(), null, null")),
    JOB_RESULT_ONLY_IF_DONE(
        job("'k', 'READY', now(), null, null, null, '1'"),
        job("'k', 'DEAD', " + NEVER + ", null, null, null, '1'")),
    JOB_REASON_IFF_CANCELLED(
        job("'k', 'CANCELLED', " + NEVER + ", null, now(), null, null"),
        job("'k', 'DONE', " + NEVER + ", null, now(), 'why', null")),
    JOB_EPOCH_NOT_NEGATIVE("update outbox.job set epoch = -1"),
    JOB_ATTEMPTS_NOT_NEGATIVE("update outbox.job set attempts = -1"),
    JOB_KIND_LENGTH(
        "update outbox.job set kind = ''", "update outbox.job set kind = repeat('k', 256)"),
    JOB_KEY_LENGTH(
        "update outbox.job set job_key = ''", "update outbox.job set job_key = repeat('k', 256)"),

    JOB_ACTION_PK(jobAction("1, 'REDRIVE', 'ann', 'why'")),
    JOB_ACTION_VERB(jobAction("2, 'DISCARD', 'ann', 'why'")),
    JOB_ACTION_WHO_LENGTH(
        jobAction("2, 'REDRIVE', '', 'why'"), jobAction("2, 'REDRIVE', repeat('w', 256), 'why'")),
    JOB_ACTION_WHY_LENGTH(
        jobAction("2, 'REDRIVE', 'ann', ''"), jobAction("2, 'REDRIVE', 'ann', repeat('w', 2001)"));

    @SuppressWarnings("ImmutableEnumChecker") // nobody writes to it
    final List<String> violations;

    Constraint(String... violations) {
      this.violations = List.of(violations);
    }

    String sqlName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @BeforeEach
  void fill() {
    DB.clear();
    DB.dsl().execute(MESSAGE + "('good', 't', 'c', null, null, '1', null)");
    DB.dsl().execute(goodDelivery());
    DB.dsl().execute(RECEIPT + "(1, 1, 1, 1, 'c')");
    DB.dsl().execute(INBOX + "('good', 'good')");
    DB.dsl().execute(action("1, 'DISCARD', 'ann', 'why', 1, null"));
    DB.dsl().execute(job("'good', 'READY', now(), null, null, null, null"));
    DB.dsl().execute(jobAction("1, 'REDRIVE', 'ann', 'why'"));
  }

  private static String goodDelivery() {
    return (DELIVERY + "(%1$s, 'good', 'READY', null, null, now(), 0, 0, null)")
        .formatted(messageId());
  }

  private static long messageId() {
    return DB.dsl().fetchSingle("select max(id) from outbox.message").get(0, Long.class);
  }

  @ParameterizedTest
  @EnumSource
  void row_thatBreaksTheConstraint_isRefusedByItsName(Constraint constraint) {
    for (String violation : constraint.violations) {
      String sql = violation.formatted(messageId());
      assertThatThrownBy(() -> DB.dsl().execute(sql))
          .as(sql)
          .isInstanceOfSatisfying(
              DataAccessException.class,
              e -> assertThat(constraintOf(e)).isEqualTo(constraint.sqlName()));
    }
  }

  private static String constraintOf(DataAccessException e) {
    PSQLException cause = e.getCause(PSQLException.class);
    ServerErrorMessage message = cause == null ? null : cause.getServerErrorMessage();
    return message == null ? "(none)" : String.valueOf(message.getConstraint());
  }

  @Test
  void migration_hasNoNamedConstraintThatIsNotViolatedHere() {
    assertThat(
            DB.dsl()
                .fetch(
                    "select conname from pg_constraint c join pg_class t on t.oid = c.conrelid"
                        + " where t.relnamespace = 'outbox'::regnamespace and c.contype <> 'n'"
                        + " and t.relname <> 'outbox_schema_history'")
                .into(String.class))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(Constraint.values()).map(Constraint::sqlName).toList());
  }

  /** A constraint that also refused good rows would pass the tests above. */
  @Test
  void rows_atTheEdgesOfTheConstraints_areAccepted() {
    assertThat(
            DB.dsl()
                .execute(
                    MESSAGE
                        + "(repeat('\uD83D\uDE80', 255), repeat('t', 255), repeat('c', 255),"
                        + " repeat('\uD83D\uDE80', 255), '{}', 'null', null),"
                        + " ('e', 't', 'c', 'k', null, null, '')"))
        .isEqualTo(2);
    assertThat(
            DB.dsl()
                .execute(
                    (DELIVERY
                            + "(%1$s, 'a', 'INPROGRESS', now(), 'ann', now(), 0, 0, 'k'),"
                            + " (%1$s, 'b', 'INPROGRESS', now(), null, now(), 1, 1, null),"
                            + " (%1$s, 'c', 'DEAD', null, null, "
                            + NEVER
                            + ", 1, 1, repeat('k', 255)),"
                            + " (%1$s, repeat('c', 255), 'READY', null, null, now(), 1, 1, null)")
                        .formatted(messageId())))
        .isEqualTo(4);
    assertThat(DB.dsl().execute(INBOX + "('good', 'e'), ('c', 'good')")).isEqualTo(2);
    assertThat(DB.dsl().execute(RECEIPT + "(1, 2, 1, 1, 'c'), (2, 1, 1, 1, 'c')")).isEqualTo(2);
    for (String values :
        List.of(
            "repeat('k', 255), 'INPROGRESS', now(), now(), null, null, null",
            "'a', 'DONE', " + NEVER + ", null, now(), null, '1'",
            "'b', 'DONE', " + NEVER + ", null, now(), null, null",
            "'c', 'DEAD', " + NEVER + ", null, null, null, null",
            "'d', 'CANCELLED', " + NEVER + ", null, now(), 'why', null")) {
      assertThat(DB.dsl().execute(job(values))).isEqualTo(1);
    }
    assertThat(DB.dsl().execute(jobAction("2, 'REDRIVE', repeat('w', 255), repeat('w', 2000)")))
        .isEqualTo(1);
    for (String values :
        List.of(
            "2, 'REDRIVE', repeat('w', 255), repeat('w', 2000), 1, null",
            "3, 'REDRIVE', 'w', 'w', 1, 2",
            "4, 'REPLAY', 'w', 'w', 1, 2",
            "5, 'SKIP', 'w', 'w', 1, null")) {
      assertThat(DB.dsl().execute(action(values))).isEqualTo(1);
    }
  }

  @Test
  void message_withoutDeliveries_canBeDeleted() {
    DB.dsl().execute("delete from outbox.delivery");

    assertThat(DB.dsl().execute("delete from outbox.message")).isEqualTo(1);
    assertThat(DB.dsl().fetch("select from outbox.receipt")).hasSize(1);
  }
}
