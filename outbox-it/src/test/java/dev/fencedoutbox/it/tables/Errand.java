package dev.fencedoutbox.it.tables;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.TableField;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;

/** A table with a uuid for its key and narrow text columns, as a generator would describe it. */
final class Errand extends TableImpl<Record> {

  private static final long serialVersionUID = 1L;

  static final Errand ERRAND = new Errand();

  final TableField<Record, UUID> id =
      createField(DSL.name("id"), SQLDataType.UUID.nullable(false), this, "");
  final TableField<Record, Long> epoch =
      createField(DSL.name("epoch"), SQLDataType.BIGINT.nullable(false), this, "");
  final TableField<Record, Integer> attempts =
      createField(DSL.name("attempts"), SQLDataType.INTEGER.nullable(false), this, "");
  final TableField<Record, OffsetDateTime> leaseUntil =
      createField(DSL.name("lease_until"), SQLDataType.TIMESTAMPWITHTIMEZONE(6), this, "");
  final TableField<Record, OffsetDateTime> dueAt =
      createField(
          DSL.name("due_at"), SQLDataType.TIMESTAMPWITHTIMEZONE(6).nullable(false), this, "");
  final TableField<Record, String> status =
      createField(DSL.name("status"), SQLDataType.VARCHAR(10).nullable(false), this, "");
  final TableField<Record, String> owner =
      createField(DSL.name("owner"), SQLDataType.VARCHAR(40), this, "");
  final TableField<Record, String> error =
      createField(DSL.name("error"), SQLDataType.VARCHAR(40), this, "");
  final TableField<Record, String> what =
      createField(DSL.name("what"), SQLDataType.CLOB.nullable(false), this, "");
  final TableField<Record, String> customer =
      createField(DSL.name("customer"), SQLDataType.CLOB.nullable(false), this, "");

  private Errand() {
    super(DSL.name("shop", "errand"));
  }

  static void create(DSLContext dsl) {
    dsl.execute(
        """
        create table shop.errand (
          id uuid primary key default gen_random_uuid(),
          epoch bigint not null default 0,
          attempts integer not null default 0,
          lease_until timestamptz,
          due_at timestamptz not null default clock_timestamp(),
          status varchar(10) not null default 'READY',
          owner varchar(40),
          error varchar(40),
          what text not null,
          customer text not null references shop.customer_order,
          check ((status = 'BUSY') = (lease_until is not null)))
        """);
  }

  /** Adds errands for that order, which must exist. */
  static List<UUID> add(DSLContext dsl, String order, String... whats) {
    return List.of(whats).stream()
        .map(
            what ->
                dsl.insertInto(ERRAND, ERRAND.what, ERRAND.customer)
                    .values(what, order)
                    .returningResult(ERRAND.id)
                    .fetchSingle()
                    .value1())
        .toList();
  }
}
