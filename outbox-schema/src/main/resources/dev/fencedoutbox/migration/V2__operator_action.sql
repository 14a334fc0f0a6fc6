-- What operators did, and what their work reads.

CREATE TYPE operator_verb AS ENUM ('REDRIVE', 'DISCARD', 'SKIP', 'REPLAY');

CREATE TABLE operator_action (
  id              bigint        GENERATED ALWAYS AS IDENTITY CONSTRAINT operator_action_pk PRIMARY KEY,
  acted_at        timestamptz   NOT NULL DEFAULT clock_timestamp(),
  delivery_id     bigint        NOT NULL,
  new_delivery_id bigint,
  message_id      bigint        NOT NULL,
  epoch           bigint        NOT NULL,
  attempts        integer       NOT NULL,
  verb            operator_verb NOT NULL,
  event_id        text          NOT NULL,
  topic           text          NOT NULL,
  channel         text          NOT NULL,
  who             text          NOT NULL,
  why             text          NOT NULL,
  last_error      text,
  CONSTRAINT operator_action_who_length       CHECK (length(who) BETWEEN 1 AND 255),
  CONSTRAINT operator_action_why_length       CHECK (length(why) BETWEEN 1 AND 2000),
  CONSTRAINT operator_action_new_if_replayed  CHECK (verb <> 'REPLAY' OR new_delivery_id IS NOT NULL),
  CONSTRAINT operator_action_new_only_if_done CHECK (verb IN ('REDRIVE', 'REPLAY') OR new_delivery_id IS NULL),
  CONSTRAINT operator_action_new_is_another   CHECK (new_delivery_id > delivery_id)
);

COMMENT ON TABLE  operator_action                 IS 'What people did to deliveries, one row per delivery, written by the statement that did it.';
COMMENT ON COLUMN operator_action.id              IS 'Internal identity.';
COMMENT ON COLUMN operator_action.acted_at        IS 'When it was done, by the database''s clock.';
COMMENT ON COLUMN operator_action.delivery_id     IS 'The delivery it was done to; for REPLAY the completed one.';
COMMENT ON COLUMN operator_action.new_delivery_id IS 'The delivery that came of it; null: none, or the same one.';
COMMENT ON COLUMN operator_action.message_id      IS 'The message of the delivery.';
COMMENT ON COLUMN operator_action.epoch           IS 'The number of the delivery''s latest claim until then.';
COMMENT ON COLUMN operator_action.attempts        IS 'The delivery''s attempts until then.';
COMMENT ON COLUMN operator_action.verb            IS 'REDRIVE: made ready again. DISCARD: given up for good. SKIP: taken out of its ordering key. REPLAY: delivered once more.';
COMMENT ON COLUMN operator_action.event_id        IS 'The event of the message.';
COMMENT ON COLUMN operator_action.topic           IS 'The topic of the message.';
COMMENT ON COLUMN operator_action.channel         IS 'The channel of the delivery.';
COMMENT ON COLUMN operator_action.who             IS 'Who did it.';
COMMENT ON COLUMN operator_action.why             IS 'Why it was done.';
COMMENT ON COLUMN operator_action.last_error      IS 'What the delivery''s last failed attempt reported.';

-- The DEAD rows of a channel in the order of their ids. Its predicate is not on the status, which
-- every claim changes, but on the due time that DEAD rows alone have (delivery_dead_iff_never_due),
-- so claims, renewals and releases stay HOT updates.
CREATE INDEX delivery_dead ON delivery (channel, id) WHERE next_attempt_at = '9999-12-31 00:00:00+00';

-- Was ON DELETE CASCADE. Retention decides on a snapshot which messages are finished; a replay that
-- commits right after adds a delivery which that snapshot does not have. Now the database refuses to
-- delete a message that still has a delivery, whoever asks and whatever he has seen.
ALTER TABLE delivery
  DROP CONSTRAINT delivery_message_fk,
  ADD CONSTRAINT delivery_message_fk FOREIGN KEY (message_id) REFERENCES message;
