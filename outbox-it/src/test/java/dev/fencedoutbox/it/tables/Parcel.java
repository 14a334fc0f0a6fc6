package dev.fencedoutbox.it.tables;

import java.time.OffsetDateTime;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.TableField;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;

/** A table with a text for its key and the least that a lease needs. */
final class Parcel extends TableImpl<Record> {

  private static final long serialVersionUID = 1L;

  static final Parcel PARCEL = new Parcel();

  final TableField<Record, String> code =
      createField(DSL.name("code"), SQLDataType.CLOB.nullable(false), this, "");
  final TableField<Record, Long> epoch =
      createField(DSL.name("epoch"), SQLDataType.BIGINT.nullable(false), this, "");
  final TableField<Record, Integer> attempts =
      createField(DSL.name("attempts"), SQLDataType.INTEGER.nullable(false), this, "");
  final TableField<Record, OffsetDateTime> leaseUntil =
      createField(DSL.name("lease_until"), SQLDataType.TIMESTAMPWITHTIMEZONE(6), this, "");
  final TableField<Record, Integer> stage =
      createField(DSL.name("stage"), SQLDataType.INTEGER.nullable(false), this, "");

  private Parcel() {
    super(DSL.name("shop", "parcel"));
  }

  static void create(DSLContext dsl) {
    dsl.execute(
        """
        create table shop.parcel (
          code text primary key,
          epoch bigint not null default 0,
          attempts integer not null default 0,
          lease_until timestamptz,
          stage integer not null default 0)
        """);
  }
}
