package dev.fencedoutbox.it.manners;

import static dev.fencedoutbox.it.support.Fixtures.LONG;
import static dev.fencedoutbox.it.support.Fixtures.PLAIN;

import dev.fencedoutbox.inbox.Inbox;
import dev.fencedoutbox.it.app.ShopJobs;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.job.DeliveryIntent;
import dev.fencedoutbox.job.JobKind;
import dev.fencedoutbox.job.JobView;
import dev.fencedoutbox.job.Jobs;
import dev.fencedoutbox.job.NewJob;
import dev.fencedoutbox.lease.Burial;
import dev.fencedoutbox.lease.Claimed;
import dev.fencedoutbox.lease.Claims;
import dev.fencedoutbox.lease.EffectOutcome;
import dev.fencedoutbox.lease.Finished;
import dev.fencedoutbox.lease.KeyWalk;
import dev.fencedoutbox.lease.Lease;
import dev.fencedoutbox.lease.LeaseTable;
import dev.fencedoutbox.lease.Leases;
import dev.fencedoutbox.lease.OrderedClaims;
import dev.fencedoutbox.lease.OrderedTable;
import dev.fencedoutbox.lease.RenewOutcome;
import dev.fencedoutbox.lease.Retry;
import dev.fencedoutbox.operate.Operator;
import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Delivery;
import dev.fencedoutbox.outbox.Message;
import dev.fencedoutbox.outbox.Outbox;
import dev.fencedoutbox.outbox.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.Converter;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.JSONB;

/**
 * Every statement of the library once or more, as one host calls it. What it notes down must be the
 * same in every host.
 */
final class Walk {

  private static final Topic<byte[]> BYTES =
      Topic.bytes(
          "bytes",
          "application/octet-stream",
          Converter.of(byte[].class, byte[].class, stored -> stored, stored -> stored));

  private final DSLContext host;
  private final DSLContext plain;
  private final String schema;
  private final Leases leases = Leases.ownedBy("o'wner\\");
  private final List<String> notes = new ArrayList<>();
  private long firstId;
  private long epochBase;
  private boolean shopJobs = true;

  /**
   * @param host who calls the library
   * @param plain an ordinary context on the same database
   * @param schema where the library's tables are
   */
  Walk(DSLContext host, DSLContext plain, String schema) {
    this.host = host;
    this.plain = plain;
    this.schema = schema;
  }

  /** Epochs and identities start here. */
  Walk startingAt(long id, long epoch) {
    for (String table :
        List.of(schema + ".message", schema + ".delivery", schema + ".job", "shop.job")) {
      plain.execute("alter table " + table + " alter column id restart with " + id);
    }
    firstId = id - 1;
    epochBase = epoch;
    return this;
  }

  /** The library and the shop both have a table of that name, so one of them needs its schema. */
  Walk withoutShopJobs() {
    shopJobs = false;
    return this;
  }

  /** Walks from empty tables. */
  List<String> walk() {
    enqueue();
    Outbox outbox = Outbox.create();
    lease(
        outbox.deliveries(Channel.DEFAULT),
        dev.fencedoutbox.schema.Tables.DELIVERY.CHANNEL,
        "moved");
    for (int i = 0; i < 12; i++) {
      plain.execute("insert into shop.job (input) values ('job')");
    }
    plain.execute("update shop.job set epoch = " + epochBase);
    if (shopJobs) {
      lease(ShopJobs.JOBS, dev.fencedoutbox.it.shop.Tables.JOB.PROGRESS, 7);
    }
    receiptless(outbox.withoutReceipts());
    ordered(outbox);
    inbox();
    jobs();
    rows();
    return notes;
  }

  private void note(String what, Object outcome) {
    notes.add(what + ": " + outcome);
  }

  private void enqueue() {
    Outbox outbox = Outbox.create();
    List<Message> many = new ArrayList<>();
    IntStream.range(0, 10)
        .forEach(
            i ->
                many.add(
                    PLAIN
                        .message(JSONB.valueOf("{\"quote'\\\\\": [" + i + ", null]}"))
                        .eventId("e" + i)
                        .header("h'\\", "v\"" + i)));
    many.add(BYTES.message(new byte[] {0, 39, 92, -1}).eventId("bytes"));
    many.add(PLAIN.message(JSONB.valueOf("null")).eventId("e1"));
    many.add(
        PLAIN
            .message(JSONB.valueOf("1"))
            .eventId("keyed")
            .orderingKey("k")
            .channels(Channel.of("a"), Channel.of("b"))
            .after(Duration.ofDays(40)));
    host.transaction(
        tx -> {
          note("enqueueAll", outbox.enqueueAll(tx.dsl(), many));
          note("enqueue", outbox.enqueue(tx.dsl(), BYTES.message(new byte[0]).eventId("empty")));
          note(
              "enqueue again",
              outbox.enqueue(tx.dsl(), BYTES.message(new byte[1]).eventId("empty")));
          note(
              "enqueue keyed",
              outbox.enqueue(
                  tx.dsl(),
                  PLAIN
                      .message(JSONB.valueOf("2"))
                      .eventId("keyed2")
                      .orderingKey("k'")
                      .channel("a")));
        });
    plain.execute("update " + schema + ".delivery set epoch = " + epochBase);
  }

  private <T> void lease(LeaseTable<Long, ?> table, Field<T> column, T value) {
    List<Lease<Long>> held = claimed("claim of 10", leases.claim(host, table, LONG, 10));
    held = new ArrayList<>(held);
    held.addAll(claimed("claim of the rest", leases.claim(host, table, LONG, 10)));
    note("claim of nothing", leases.claim(host, table, LONG, 10).isEmpty());
    note(
        "claimByKey of a held one",
        leases.claimByKey(host, table, LONG, held.get(0).key()).isEmpty());
    note("renew", kinds(List.of(leases.renew(host, held.get(0), Duration.ofHours(1)))));
    note("renewAll", kinds(leases.renewAll(host, held, Duration.ofDays(3))));
    note("checkpoint", leases.checkpoint(host, held.get(0), column, value));
    note("apply", leases.apply(host, held.get(0), ShopJobs.storingOnce("first'\\")));
    note("apply again", leases.apply(host, held.get(0), ShopJobs.storingOnce("second")));
    Lease<Long> first = held.get(0);
    note("hold", host.transactionResult(tx -> leases.hold(tx.dsl(), first)));
    note("finish", leases.finish(host, first, ShopJobs.storing("done'\\")));
    note("finish again", leases.finish(host, first, ShopJobs.storing("never")));
    note("retry", leases.retry(host, held.get(1), Duration.ofHours(1), "no'\\ luck"));
    note(
        "retryAll",
        leases.retryAll(
            host,
            List.of(
                new Retry<>(held.get(2), Duration.ZERO, "a'\\"),
                new Retry<>(held.get(3), Duration.ofDays(30), "b"),
                new Retry<>(held.get(1), Duration.ZERO, "c"))));
    note("release", leases.release(host, held.get(4)));
    note("releaseAll", leases.releaseAll(host, held.subList(4, 6)));
    note("bury", leases.bury(host, held.get(6), "why'\\"));
    note(
        "buryAll",
        leases.buryAll(
            host, List.of(new Burial<>(held.get(6), "x"), new Burial<>(held.get(7), "y\n"))));
    note("complete", leases.complete(host, held.get(8)));
    note("completeAll", leases.completeAll(host, held.subList(7, 11)));
    note("complete again", leases.complete(host, held.get(8)));
    List<Lease<Long>> second = claimed("claim again", leases.claim(host, table, LONG, 10));
    note(
        "superseded",
        leases.renewAll(host, List.of(held.get(2), held.get(4)), Duration.ofHours(1)).stream()
            .map(outcome -> ((RenewOutcome.Refused<Long>) outcome).reason())
            .toList());
    note("releaseAll", leases.releaseAll(host, second));
    Claims<Long, ?> buried = leases.claim(host, table, LONG.withAttemptBudget(1), 10);
    note(
        "buried",
        buried.buried().stream()
            .map(b -> b.key() - firstId + " " + b.attempts() + " " + b.reason())
            .toList());
    claimed("beside", buried);
  }

  private List<Lease<Long>> claimed(String what, Claims<Long, ?> claims) {
    note(
        what,
        claims.claimed().stream()
            .map(
                claimed ->
                    "%d epoch %d attempts %d %s"
                        .formatted(
                            claimed.lease().key() - firstId,
                            claimed.lease().epoch().value() - epochBase,
                            claimed.lease().attempts(),
                            text(claimed.row())))
            .toList());
    return claims.claimed().stream().map(Claimed::lease).collect(Collectors.toList());
  }

  private static String text(Object row) {
    if (row instanceof JobView<?, ?, ?> job) {
      return job.key() + " " + job.input() + " " + job.checkpoint();
    }
    if (!(row instanceof Delivery delivery)) {
      return ((dev.fencedoutbox.it.shop.tables.records.JobRecord) row).getInput();
    }
    return "%s %s %s %s %s %s"
        .formatted(
            delivery.eventId(),
            delivery.topic(),
            delivery.channel(),
            delivery.contentType(),
            delivery.headers(),
            delivery.topic().equals("bytes")
                ? java.util.Arrays.toString(delivery.bytes())
                : delivery.json());
  }

  private static List<String> kinds(List<RenewOutcome<Long>> outcomes) {
    return outcomes.stream().map(outcome -> outcome.getClass().getSimpleName()).toList();
  }

  private void receiptless(Outbox outbox) {
    host.transaction(
        tx ->
            note(
                "enqueueAll for a channel",
                outbox.enqueueAll(
                    tx.dsl(),
                    IntStream.range(0, 4)
                        .mapToObj(
                            i ->
                                PLAIN
                                    .message(JSONB.valueOf("3"))
                                    .eventId("c" + i)
                                    .channel("chan'nel"))
                        .toList())));
    plain.execute(
        "update " + schema + ".delivery set epoch = " + epochBase + " where channel like 'chan%'");
    LeaseTable<Long, Delivery> table = outbox.deliveries(Channel.of("chan'nel"));
    List<Lease<Long>> held = claimed("claim", leases.claim(host, table, LONG, 100));
    note("complete without receipt", leases.complete(host, held.get(0)));
    note("completeAll without receipt", leases.completeAll(host, held.subList(0, 3)));
    note("finish without receipt", leases.finish(host, held.get(3), ShopJobs.storing("x")));
  }

  private void ordered(Outbox outbox) {
    host.transaction(
        tx ->
            note(
                "enqueueAll in order",
                outbox.enqueueAll(
                    tx.dsl(),
                    Stream.of("x'1", "y2", "x'3", "z4", "x'5")
                        .map(
                            said ->
                                PLAIN
                                    .message(JSONB.valueOf("4"))
                                    .eventId(said)
                                    .orderingKey(said.substring(0, said.length() - 1))
                                    .channel("in'order"))
                        .toList())));
    plain.execute(
        "update " + schema + ".delivery set epoch = " + epochBase + " where channel like 'in%'");
    OrderedTable<Long, Delivery> table = outbox.orderedDeliveries(Channel.of("in'order"));
    OrderedClaims<Long, Delivery> first =
        leases.claimInOrder(host, table, LONG, KeyWalk.of(2).withRunLength(2));
    List<Lease<Long>> head = claimed("claimInOrder", first.claims());
    note("walk goes on", first.next());
    OrderedClaims<Long, Delivery> rest =
        leases.claimInOrder(host, table, LONG, new KeyWalk(first.next().after(), 10, 2));
    List<Lease<Long>> others = claimed("claimInOrder of the rest", rest.claims());
    note("walk is at its end", rest.next());
    note("complete in order", leases.complete(host, head.get(0)));
    note("retry in order", leases.retry(host, head.get(1), Duration.ZERO, "in'order"));
    note("releaseAll in order", leases.releaseAll(host, others));
    note(
        "buried in order",
        leases
            .claimInOrder(host, table, LONG.withAttemptBudget(1), KeyWalk.of(10))
            .claims()
            .buried()
            .stream()
            .map(b -> b.key() - firstId + " " + b.attempts() + " " + b.reason())
            .toList());
  }

  private void inbox() {
    for (int i = 0; i < 2; i++) {
      note(
          "applyOnce",
          host.transactionResult(
              tx -> Inbox.of("bill'ing").applyOnce(tx.dsl(), "e\\1", same -> {})));
    }
  }

  private static final JobKind<JSONB, JSONB, JSONB> KIND = JobKind.json("ki'nd\\");
  private static final Jobs<JSONB, JSONB, JSONB> JOBS = Jobs.of(KIND);
  private static final Operator ANN = new Operator("an'n", "why\\");

  private void jobs() {
    note("submitAll", submitted("j'0", "j1", "j2", "j3", "j4", "j5", "j6", "j'0"));
    note("submitAll again", submitted("new", "j1"));
    plain.execute("update " + schema + ".job set epoch = " + epochBase);
    List<Lease<Long>> held = claimed("claim of jobs", leases.claim(host, JOBS.table(), LONG, 8));
    note("checkpoint of a job", JOBS.checkpoint(host, held.get(0), json("[1, '\\']")));
    note("finish of a job", JOBS.finish(host, held.get(0), json("{'a\\': null}")));
    note("finish of a job again", JOBS.finish(host, held.get(0), null));
    note(
        "finish of a job with effect",
        JOBS.finish(host, held.get(1), json("1"), ShopJobs.storing("job'\\")));
    note(
        "finish of a job with intent",
        host.<EffectOutcome>transactionResult(
            tx ->
                JOBS.finish(
                    tx.dsl(),
                    held.get(2),
                    null,
                    DeliveryIntent.of(Outbox.create(), Fixtures.message("intent").channel("in")))));
    plain.execute(
        "update " + schema + ".delivery set epoch = " + epochBase + " where channel = 'in'");
    note(
        "finishAll of jobs",
        JOBS.finishAll(
            host,
            List.of(
                new Finished<>(held.get(4), json("'four'")),
                new Finished<>(held.get(1), json("1")),
                new Finished<>(held.get(3), null))));
    note("cancel of a job", JOBS.cancel(host, held.get(5).key(), "not'\\ wanted"));
    note("cancel of a job again", JOBS.cancel(host, held.get(5).key(), "no"));
    note("renew of a cancelled", kinds(leases.renewAll(host, held.subList(5, 6), HOUR)));
    note("bury of jobs", leases.buryAll(host, burials(held.subList(6, 8))));
    note("dead jobs", JOBS.dead().list(host, 10).stream().map(JobView::key).toList());
    note("redrive of a job", JOBS.dead().redrive(host, "j5", ANN));
    note("redriveAll of jobs", JOBS.dead().redriveAll(host, 10, ANN).size());
    note("find", JOBS.find(host, "j'0").flatMap(JobView::result));
    claimed("claim of redriven jobs", leases.claim(host, JOBS.table(), LONG, 8));
  }

  private static final Duration HOUR = Duration.ofHours(1);

  private static List<Burial<Long>> burials(List<Lease<Long>> held) {
    return held.stream().map(lease -> new Burial<>(lease, "why'\\")).toList();
  }

  /** With quotes in place of apostrophes. */
  private static JSONB json(String text) {
    return JSONB.valueOf(text.replace('\'', '"').replace("\\", "\\\\"));
  }

  private List<String> submitted(String... keys) {
    List<NewJob> jobs = Stream.of(keys).map(key -> KIND.job(json("'in\\'")).key(key)).toList();
    return host.transactionResult(tx -> JOBS.submitAll(tx.dsl(), jobs)).stream()
        .map(one -> one.key() + " " + one.outcome())
        .toList();
  }

  private void rows() {
    String ids = "id - " + firstId + ", ";
    String epoch = "epoch - " + epochBase + ", ";
    note(
        "message",
        table(
            "select "
                + ids
                + "event_id, topic, content_type, ordering_key, headers, payload_json,"
                + " payload_bytes from "
                + schema
                + ".message order by id"));
    note(
        "delivery",
        table(
            "select "
                + ids
                + epoch
                + "message_id - "
                + firstId
                + ", status, attempts, channel, ordering_key, lease_owner, last_error,"
                + " lease_until > clock_timestamp() + interval '9 min',"
                + " extract(year from next_attempt_at at time zone 'UTC') = 9999,"
                + " date_part('day', next_attempt_at - clock_timestamp() + interval '1 h') from "
                + schema
                + ".delivery order by id"));
    note(
        "receipt",
        table(
            "select message_id - "
                + firstId
                + ", delivery_id - "
                + firstId
                + ", "
                + epoch
                + "attempts, channel from "
                + schema
                + ".receipt order by delivery_id"));
    note(
        "job",
        table(
            "select "
                + ids
                + epoch
                + "state, attempts, progress, worker, failure, lease_until > clock_timestamp() +"
                + " interval '9 min', extract(year from run_after at time zone 'UTC') = 9999 from"
                + " shop.job order by id"));
    note(
        "effect", table("select job_id - " + firstId + ", value from shop.effect order by job_id"));
    note(
        "jobs of the library",
        table(
            "select "
                + epoch
                + "kind, job_key, status, attempts, lease_owner, last_error, cancel_reason, input,"
                + " checkpoint, result, ended_at is null, lease_until > clock_timestamp() +"
                + " interval '9 min', extract(year from next_attempt_at at time zone 'UTC') = 9999"
                + " from "
                + schema
                + ".job order by job_key"));
    note(
        "job_action",
        table(
            "select "
                + epoch
                + "verb, kind, job_key, who, why, attempts, last_error from "
                + schema
                + ".job_action order by job_key"));
    note("inbox", table("select consumer, event_id from " + schema + ".inbox"));
  }

  private String table(String sql) {
    return plain.fetch(sql).formatCSV();
  }
}
