-- Every name is unqualified: Flyway puts the target schema first on the search path, so that a host
-- may choose another schema than "outbox". No CONCURRENTLY, no functions, no triggers, no extensions.

CREATE TYPE delivery_status AS ENUM ('READY', 'INPROGRESS', 'DEAD');

CREATE TABLE message (
  id            bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT message_pk PRIMARY KEY,
  created_at    timestamptz NOT NULL DEFAULT statement_timestamp(),
  event_id      text        NOT NULL CONSTRAINT message_event_id_unique UNIQUE,
  topic         text        NOT NULL,
  content_type  text        NOT NULL,
  ordering_key  text        COLLATE "C",
  headers       jsonb,
  payload_json  jsonb,
  payload_bytes bytea,
  CONSTRAINT message_event_id_length     CHECK (length(event_id) BETWEEN 1 AND 255),
  CONSTRAINT message_topic_length        CHECK (length(topic) BETWEEN 1 AND 255),
  CONSTRAINT message_content_type_length CHECK (length(content_type) BETWEEN 1 AND 255),
  CONSTRAINT message_ordering_key_length CHECK (length(ordering_key) BETWEEN 1 AND 255),
  CONSTRAINT message_headers_object      CHECK (jsonb_typeof(headers) = 'object'),
  CONSTRAINT message_one_payload         CHECK (num_nonnulls(payload_json, payload_bytes) = 1)
);

COMMENT ON TABLE  message               IS 'What was said: immutable, one row per event, written once in the transaction of the business change.';
COMMENT ON COLUMN message.id            IS 'Internal identity; never leaves this database.';
COMMENT ON COLUMN message.created_at    IS 'When the enqueue statement ran, by the database''s clock.';
COMMENT ON COLUMN message.event_id      IS 'The identity of the event for ever: it deduplicates enqueues and is what consumers deduplicate by.';
COMMENT ON COLUMN message.topic         IS 'The kind of event; decides the type of the payload.';
COMMENT ON COLUMN message.content_type  IS 'Media type of the payload.';
COMMENT ON COLUMN message.ordering_key  IS 'Messages of one key are delivered in the order in which they were enqueued; null: no order.';
COMMENT ON COLUMN message.headers       IS 'Text headers that travel with the payload, as one JSON object; null: none.';
COMMENT ON COLUMN message.payload_json  IS 'The payload as JSON; exactly one of payload_json and payload_bytes is set.';
COMMENT ON COLUMN message.payload_bytes IS 'The payload as bytes, kept to the letter; exactly one of payload_json and payload_bytes is set.';

-- Columns stand widest first, so that no padding is stored. No column that a claim, a renewal or a
-- release changes is in an index or in an index predicate: each of them is a HOT update, for which
-- the fillfactor leaves room: a leased row is longer, and a batch writes a page's rows anew at once.
-- With an owner of 24 characters, at 50 only 78 % of first claims were HOT; at 40 all, but 69 % of
-- the renewals; at 33 all of both (outbox-it, WriteCostTest). The identity keeps CACHE 1: the order
-- of ids is the order of a key.
CREATE TABLE delivery (
  id              bigint          GENERATED ALWAYS AS IDENTITY CONSTRAINT delivery_pk PRIMARY KEY,
  message_id      bigint          NOT NULL CONSTRAINT delivery_message_fk REFERENCES message ON DELETE CASCADE,
  epoch           bigint          NOT NULL DEFAULT 0,
  next_attempt_at timestamptz     NOT NULL DEFAULT statement_timestamp(),
  lease_until     timestamptz,
  status          delivery_status NOT NULL DEFAULT 'READY',
  attempts        integer         NOT NULL DEFAULT 0,
  channel         text            NOT NULL,
  ordering_key    text            COLLATE "C",
  lease_owner     text,
  last_error      text,
  CONSTRAINT delivery_one_per_channel       UNIQUE (message_id, channel),
  CONSTRAINT delivery_leased_iff_inprogress CHECK ((status = 'INPROGRESS') = (lease_until IS NOT NULL)),
  CONSTRAINT delivery_owner_only_if_leased  CHECK (lease_owner IS NULL OR lease_until IS NOT NULL),
  CONSTRAINT delivery_dead_iff_never_due    CHECK ((status = 'DEAD') = (next_attempt_at = '9999-12-31 00:00:00+00')),
  CONSTRAINT delivery_epoch_not_negative    CHECK (epoch >= 0),
  CONSTRAINT delivery_attempts_not_negative CHECK (attempts >= 0),
  CONSTRAINT delivery_channel_length        CHECK (length(channel) BETWEEN 1 AND 255),
  CONSTRAINT delivery_ordering_key_length   CHECK (length(ordering_key) BETWEEN 1 AND 255)
) WITH (fillfactor = 33);

CREATE INDEX delivery_due ON delivery (channel, next_attempt_at, id) WHERE ordering_key IS NULL;
CREATE INDEX delivery_key ON delivery (channel, ordering_key, id) WHERE ordering_key IS NOT NULL;

COMMENT ON TABLE  delivery                 IS 'What is still to be done about a message on one channel; the row is gone when it is done.';
COMMENT ON COLUMN delivery.id              IS 'The delivery''s identity, never used twice; under one ordering key also its order.';
COMMENT ON COLUMN delivery.message_id      IS 'The message to deliver.';
COMMENT ON COLUMN delivery.epoch           IS 'The number of the latest claim: +1 at each successful claim, never reset, never changed by a renewal.';
COMMENT ON COLUMN delivery.next_attempt_at IS 'Not claimable before this time; 9999-12-31 UTC exactly when DEAD, so that no scan meets the row; not infinity, which jOOQ cannot read.';
COMMENT ON COLUMN delivery.lease_until     IS 'When the current claim stops being valid; null when nobody holds the row.';
COMMENT ON COLUMN delivery.status          IS 'READY: waiting. INPROGRESS: leased. DEAD: given up until somebody redrives it.';
COMMENT ON COLUMN delivery.attempts        IS 'Claims counted against the attempt budget, counted when claimed; a release gives one back.';
COMMENT ON COLUMN delivery.channel         IS 'The stream of deliveries that one relay serves.';
COMMENT ON COLUMN delivery.ordering_key    IS 'Copied from the message; null: unordered, or skipped out of its key.';
COMMENT ON COLUMN delivery.lease_owner     IS 'Who holds the lease, for people to read; proves nothing.';
COMMENT ON COLUMN delivery.last_error      IS 'What the last failed attempt reported, cleaned and cut.';

-- The key leads with the message, so that one index serves look-ups, the view and retention. A
-- delivery is completed once because its row is deleted under the fence and its id never comes back.
CREATE TABLE receipt (
  message_id   bigint      NOT NULL,
  delivery_id  bigint      NOT NULL,
  epoch        bigint      NOT NULL,
  delivered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  attempts     integer     NOT NULL,
  channel      text        NOT NULL,
  CONSTRAINT receipt_pk PRIMARY KEY (message_id, delivery_id),
  CONSTRAINT receipt_epoch_positive    CHECK (epoch > 0),
  CONSTRAINT receipt_attempts_positive CHECK (attempts > 0)
);

COMMENT ON TABLE  receipt              IS 'Proof that a delivery was completed.';
COMMENT ON COLUMN receipt.message_id   IS 'The message that was delivered.';
COMMENT ON COLUMN receipt.delivery_id  IS 'The delivery that was completed.';
COMMENT ON COLUMN receipt.epoch        IS 'The claim that completed it.';
COMMENT ON COLUMN receipt.delivered_at IS 'When it was recorded, by the database''s clock.';
COMMENT ON COLUMN receipt.attempts     IS 'Claims counted up to and including the one that completed it.';
COMMENT ON COLUMN receipt.channel      IS 'The channel it was delivered on.';

CREATE TABLE inbox (
  consumer    text        NOT NULL,
  event_id    text        NOT NULL,
  received_at timestamptz NOT NULL DEFAULT statement_timestamp(),
  CONSTRAINT inbox_pk PRIMARY KEY (consumer, event_id),
  CONSTRAINT inbox_consumer_length CHECK (length(consumer) BETWEEN 1 AND 255),
  CONSTRAINT inbox_event_id_length CHECK (length(event_id) BETWEEN 1 AND 255)
);

COMMENT ON TABLE  inbox             IS 'A consumer''s memory of the event ids that it has applied.';
COMMENT ON COLUMN inbox.consumer    IS 'Who applied the event; consumers do not see each other.';
COMMENT ON COLUMN inbox.event_id    IS 'The event that was applied.';
COMMENT ON COLUMN inbox.received_at IS 'When it was applied, by the database''s clock.';

-- For people and dashboards. One row per delivery or receipt; a message whose receipt was not kept
-- shows once, without channel and status.
CREATE VIEW message_status AS
SELECT m.id AS message_id, m.event_id, m.topic, m.ordering_key, m.created_at,
       s.delivery_id, s.channel, s.status, s.epoch, s.attempts,
       s.next_attempt_at, s.lease_until, s.lease_owner, s.last_error, s.delivered_at
FROM message m
LEFT JOIN (
  SELECT d.message_id, d.id AS delivery_id, d.channel, d.status::text AS status, d.epoch, d.attempts,
         CASE WHEN d.status <> 'DEAD' THEN d.next_attempt_at END AS next_attempt_at, d.lease_until, d.lease_owner, d.last_error, NULL::timestamptz AS delivered_at
  FROM delivery d
  UNION ALL
  SELECT r.message_id, r.delivery_id, r.channel, 'SENT', r.epoch, r.attempts,
         NULL, NULL, NULL, NULL, r.delivered_at
  FROM receipt r
) s ON s.message_id = m.id;

COMMENT ON VIEW message_status IS 'Where each message stands on each channel: READY, INPROGRESS, SENT or DEAD.';
