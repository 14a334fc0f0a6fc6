-- Long work with a result, leased like deliveries, and what operators did about it.

CREATE TYPE job_status AS ENUM ('READY', 'INPROGRESS', 'DONE', 'DEAD', 'CANCELLED');

-- As in delivery, no column that a claim, a renewal, a release or a checkpoint changes is in an index
-- or in an index predicate, so that each of them is a HOT update, for which the fillfactor leaves
-- room. The lease stands on the job's own row: whoever may write the result is decided where it is
-- written.
CREATE TABLE job (
  id              bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT job_pk PRIMARY KEY,
  epoch           bigint      NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT statement_timestamp(),
  submitted_at    timestamptz NOT NULL DEFAULT statement_timestamp(),
  lease_until     timestamptz,
  ended_at        timestamptz,
  status          job_status  NOT NULL DEFAULT 'READY',
  attempts        integer     NOT NULL DEFAULT 0,
  kind            text        NOT NULL,
  job_key         text        NOT NULL,
  lease_owner     text,
  last_error      text,
  cancel_reason   text,
  input           jsonb       NOT NULL,
  checkpoint      jsonb,
  result          jsonb,
  CONSTRAINT job_kind_key_unique         UNIQUE (kind, job_key),
  CONSTRAINT job_leased_iff_inprogress   CHECK ((status = 'INPROGRESS') = (lease_until IS NOT NULL)),
  CONSTRAINT job_owner_only_if_leased    CHECK (lease_owner IS NULL OR lease_until IS NOT NULL),
  CONSTRAINT job_over_iff_never_due      CHECK ((status IN ('DONE', 'DEAD', 'CANCELLED')) = (next_attempt_at = '9999-12-31 00:00:00+00')),
  CONSTRAINT job_ended_iff_final         CHECK ((status IN ('DONE', 'CANCELLED')) = (ended_at IS NOT NULL)),
  CONSTRAINT job_result_only_if_done     CHECK (result IS NULL OR status = 'DONE'),
  CONSTRAINT job_reason_iff_cancelled    CHECK ((status = 'CANCELLED') = (cancel_reason IS NOT NULL)),
  CONSTRAINT job_epoch_not_negative      CHECK (epoch >= 0),
  CONSTRAINT job_attempts_not_negative   CHECK (attempts >= 0),
  CONSTRAINT job_kind_length             CHECK (length(kind) BETWEEN 1 AND 255),
  CONSTRAINT job_key_length              CHECK (length(job_key) BETWEEN 1 AND 255)
) WITH (fillfactor = 33);

-- What has ended is not in it, and DEAD jobs are out of the range that a claim scans. The claim
-- repeats the predicate. Without statistics PostgreSQL takes it for one row in 200, and so walks the
-- index; with a bound on next_attempt_at in its place, which it takes for one row in three, it sorted
-- all that was due (outbox-it, JobClaimPlanTest).
CREATE INDEX job_due ON job (kind, next_attempt_at, id) WHERE ended_at IS NULL;

-- The DEAD jobs of a kind in the order of their ids, told from those that ended without their status,
-- which every claim changes (job_over_iff_never_due, job_ended_iff_final).
CREATE INDEX job_dead ON job (kind, id) WHERE next_attempt_at = '9999-12-31 00:00:00+00' AND ended_at IS NULL;

COMMENT ON TABLE  job                 IS 'Long work with a result: one row per job, which stays when the job is over.';
COMMENT ON COLUMN job.id              IS 'The job''s identity, never used twice.';
COMMENT ON COLUMN job.epoch           IS 'The number of the latest claim: +1 at each successful claim, never reset, never changed by a renewal.';
COMMENT ON COLUMN job.next_attempt_at IS 'Not claimable before this time; 9999-12-31 UTC exactly when DONE, DEAD or CANCELLED.';
COMMENT ON COLUMN job.submitted_at    IS 'When it was submitted, by the database''s clock.';
COMMENT ON COLUMN job.lease_until     IS 'When the current claim stops being valid; null when nobody holds the row.';
COMMENT ON COLUMN job.ended_at        IS 'When it was finished or cancelled, by the database''s clock; null: it is not over, or DEAD.';
COMMENT ON COLUMN job.status          IS 'READY: waiting. INPROGRESS: leased. DONE: finished. DEAD: given up until somebody redrives it. CANCELLED: not wanted any more.';
COMMENT ON COLUMN job.attempts        IS 'Claims counted against the attempt budget, counted when claimed; a release gives one back.';
COMMENT ON COLUMN job.kind            IS 'What is to be done; decides the types of input, checkpoint and result.';
COMMENT ON COLUMN job.job_key         IS 'The submitter''s own name of the job: of one kind, submitted once.';
COMMENT ON COLUMN job.lease_owner     IS 'Who holds the lease, for people to read; proves nothing.';
COMMENT ON COLUMN job.last_error      IS 'What the last failed attempt reported, cleaned and cut.';
COMMENT ON COLUMN job.cancel_reason   IS 'Why it was cancelled.';
COMMENT ON COLUMN job.input           IS 'What the submitter gave.';
COMMENT ON COLUMN job.checkpoint      IS 'How far the work has come, for who goes on with it; null: nothing yet.';
COMMENT ON COLUMN job.result          IS 'What came of it; null: it is not done, or has none.';

CREATE TABLE job_action (
  id         bigint        GENERATED ALWAYS AS IDENTITY CONSTRAINT job_action_pk PRIMARY KEY,
  acted_at   timestamptz   NOT NULL DEFAULT clock_timestamp(),
  job_id     bigint        NOT NULL,
  epoch      bigint        NOT NULL,
  attempts   integer       NOT NULL,
  verb       operator_verb NOT NULL,
  kind       text          NOT NULL,
  job_key    text          NOT NULL,
  who        text          NOT NULL,
  why        text          NOT NULL,
  last_error text,
  CONSTRAINT job_action_verb       CHECK (verb = 'REDRIVE'),
  CONSTRAINT job_action_who_length CHECK (length(who) BETWEEN 1 AND 255),
  CONSTRAINT job_action_why_length CHECK (length(why) BETWEEN 1 AND 2000)
);

COMMENT ON TABLE  job_action            IS 'What people did to jobs, one row per job, written by the statement that did it.';
COMMENT ON COLUMN job_action.id         IS 'Internal identity.';
COMMENT ON COLUMN job_action.acted_at   IS 'When it was done, by the database''s clock.';
COMMENT ON COLUMN job_action.job_id     IS 'The job it was done to.';
COMMENT ON COLUMN job_action.epoch      IS 'The number of the job''s latest claim until then.';
COMMENT ON COLUMN job_action.attempts   IS 'The job''s attempts until then.';
COMMENT ON COLUMN job_action.verb       IS 'REDRIVE: made ready again.';
COMMENT ON COLUMN job_action.kind       IS 'The job''s kind.';
COMMENT ON COLUMN job_action.job_key    IS 'The job''s key.';
COMMENT ON COLUMN job_action.who        IS 'Who did it.';
COMMENT ON COLUMN job_action.why        IS 'Why it was done.';
COMMENT ON COLUMN job_action.last_error IS 'What the job''s last failed attempt reported.';
