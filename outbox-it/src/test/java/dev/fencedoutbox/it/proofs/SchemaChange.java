package dev.fencedoutbox.it.proofs;

import java.util.List;

/**
 * A change of the schema, and where it must stop the compiler.
 *
 * @param name what is done
 * @param file where the compiler must report an error
 * @param symbol what the error must name
 * @param sql how it is done, after the migrations
 */
record SchemaChange(String name, String file, String symbol, String sql) {

  /** PostgreSQL neither retypes nor drops a column that a view reads. */
  private static final String NO_VIEW = "drop view outbox.message_status;";

  /** It neither retypes a column that a check compares with a label. */
  private static final String NO_CHECKS =
      NO_VIEW
          + "alter table outbox.delivery drop constraint delivery_leased_iff_inprogress,"
          + " drop constraint delivery_dead_iff_never_due, alter status drop default;";

  @Override
  public String toString() {
    return name;
  }

  private static SchemaChange message(String name, String file, String symbol, String how) {
    return new SchemaChange(name, file, symbol, NO_VIEW + "alter table outbox.message " + how);
  }

  private static SchemaChange delivery(String name, String file, String symbol, String how) {
    return new SchemaChange(name, file, symbol, NO_VIEW + "alter table outbox.delivery " + how);
  }

  private static SchemaChange receipt(String name, String symbol, String how) {
    return new SchemaChange(
        name, "Outbox.java", symbol, NO_VIEW + "alter table outbox.receipt " + how);
  }

  private static SchemaChange inbox(String name, String symbol, String how) {
    return new SchemaChange(name, "Inbox.java", symbol, "alter table outbox.inbox " + how);
  }

  private static SchemaChange job(String name, String symbol, String how) {
    return new SchemaChange(name, "ShopJobs.java", symbol, "alter table shop.job " + how);
  }

  /** Changes of the library's own schema, which must not compile with outbox-core. */
  static List<SchemaChange> ofTheLibrary() {
    return List.of(
        message(
            "message.event_id renamed", "OutboxSql.java", "EVENT_ID", "rename event_id to event"),
        message("message.headers dropped", "Delivery.java", "HEADERS", "drop headers"),
        message(
            "message.created_at without time zone",
            "Delivery.java",
            "CREATED_AT",
            "alter created_at type timestamp"),
        message(
            "message.payload_bytes as text",
            "Delivery.java",
            "PAYLOAD_BYTES",
            "alter payload_bytes type text using encode(payload_bytes, 'hex')"),
        message("table message renamed", "OutboxSql.java", "MESSAGE", "rename to said"),
        message(
            "message.tenant added, required",
            "OutboxSql.java",
            "method required",
            "add tenant text not null"),
        delivery(
            "delivery.last_error renamed",
            "Outbox.java",
            "LAST_ERROR",
            "rename last_error to failure"),
        delivery("delivery.lease_owner dropped", "Outbox.java", "LEASE_OWNER", "drop lease_owner"),
        delivery("delivery.epoch as integer", "Outbox.java", "EPOCH", "alter epoch type integer"),
        delivery(
            "delivery.lease_until without time zone",
            "Outbox.java",
            "LEASE_UNTIL",
            "alter lease_until type timestamp"),
        delivery("table delivery renamed", "Outbox.java", "DELIVERY", "rename to errand"),
        delivery(
            "delivery.priority added, required",
            "OutboxSql.java",
            "method required",
            "add priority integer not null"),
        delivery(
            "delivery.next_attempt_at without default",
            "OutboxSql.java",
            "method required",
            "alter next_attempt_at drop default"),
        new SchemaChange(
            "label DEAD renamed",
            "Outbox.java",
            "DEAD",
            "alter type outbox.delivery_status rename value 'DEAD' to 'BURIED'"),
        new SchemaChange(
            "label PARKED added",
            "Delivery.java",
            "switch",
            "alter type outbox.delivery_status add value 'PARKED'"),
        new SchemaChange(
            "label DEAD removed",
            "Outbox.java",
            "DEAD",
            NO_CHECKS
                + "create type outbox.fewer as enum ('READY', 'INPROGRESS');"
                + "alter table outbox.delivery alter status type outbox.fewer"
                + " using status::text::outbox.fewer, alter status set default 'READY';"
                + "drop type outbox.delivery_status;"
                + "alter type outbox.fewer rename to delivery_status;"),
        new SchemaChange(
            "delivery.status as text",
            "Delivery.java",
            "READY",
            NO_CHECKS
                + "alter table outbox.delivery alter status type text,"
                + " alter status set default 'READY'"),
        receipt("receipt.delivery_id renamed", "DELIVERY_ID", "rename delivery_id to done"),
        receipt("receipt.attempts dropped", "method required", "drop attempts"),
        receipt("receipt.epoch as integer", "RECEIPT.EPOCH", "alter epoch type integer"),
        receipt("table receipt renamed", "RECEIPT", "rename to proof"),
        inbox("inbox.consumer renamed", "CONSUMER", "rename consumer to reader"),
        inbox("inbox.topic added, required", "method required", "add topic text not null"),
        inbox("table inbox renamed", "INBOX", "rename to seen"),
        new SchemaChange(
            "operator_action.tenant added, required",
            "OperatorLog.java",
            "method required",
            "alter table outbox.operator_action add tenant text not null"),
        new SchemaChange(
            "job.tenant added, required",
            "JobSql.java",
            "method required",
            "alter table outbox.job add tenant text not null"),
        new SchemaChange(
            "label PAUSED added",
            "JobView.java",
            "switch",
            "alter type outbox.job_status add value 'PAUSED'"));
  }

  /** Changes of the host's lease table, which must not compile with the host. */
  static List<SchemaChange> ofTheShop() {
    return List.of(
        job("job.lease_until renamed", "LEASE_UNTIL", "rename lease_until to held_until"),
        job("job.attempts dropped", "ATTEMPTS", "drop attempts"),
        job("job.epoch as integer", "EPOCH", "alter epoch type integer"),
        job("table job renamed", "JOB", "rename to task"),
        new SchemaChange(
            "label RUNNING renamed",
            "ShopJobs.java",
            "RUNNING",
            "alter type shop.job_state rename value 'RUNNING' to 'EXECUTING'"));
  }

  /** Changes that break nobody. */
  static List<SchemaChange> benign() {
    return List.of(
        new SchemaChange("none", "", "", "select"),
        new SchemaChange(
            "message.note added, nullable", "", "", "alter table outbox.message add note text"),
        new SchemaChange(
            "delivery.priority added, with a default",
            "",
            "",
            "alter table outbox.delivery add priority integer not null default 0"));
  }
}
