-- What a soak writes down, judged on the database's clock alone. In the soak's own database only.

CREATE SCHEMA soak;

-- Every change of a delivery, noted in the transaction that makes it: when each lease began and ended.
CREATE TABLE soak.lease_change (
  seq         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at          timestamptz NOT NULL DEFAULT clock_timestamp(),
  operation   text        NOT NULL,
  delivery_id bigint      NOT NULL,
  message_id  bigint      NOT NULL,
  epoch       bigint      NOT NULL,
  status      text        NOT NULL,
  attempts    integer     NOT NULL,
  lease_until timestamptz,
  owner       text,
  tx          bigint      NOT NULL DEFAULT pg_current_xact_id()::text::bigint
);

CREATE FUNCTION soak.note_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE d outbox.delivery := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  IF d.channel <> 'soak' THEN -- a warm-up
    RETURN NULL;
  END IF;
  INSERT INTO soak.lease_change (operation, delivery_id, message_id, epoch, status, attempts, lease_until, owner)
  VALUES (TG_OP, d.id, d.message_id, d.epoch, d.status::text, d.attempts, d.lease_until, d.lease_owner);
  RETURN NULL;
END $$;

CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON outbox.delivery
  FOR EACH ROW EXECUTE FUNCTION soak.note_change();

-- What handlers do, each row committed at once, so that it survives the death of its process.
CREATE TABLE soak.handling (
  seq         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at          timestamptz NOT NULL DEFAULT clock_timestamp(),
  what        text        NOT NULL CHECK (what IN ('begun', 'delivered', 'failed')),
  process     text        NOT NULL,
  event_id    text        NOT NULL,
  delivery_id bigint      NOT NULL,
  epoch       bigint      NOT NULL,
  reclaimed   boolean     NOT NULL
);

-- When a process stood still though nobody froze it: the machine was busy, or the database.
CREATE TABLE soak.stall (
  process text        NOT NULL,
  since   timestamptz NOT NULL,
  until   timestamptz NOT NULL
);
