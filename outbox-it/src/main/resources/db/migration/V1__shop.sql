-- The host application's own tables. It knows nothing of the library's schema.

CREATE TABLE customer_order (
  id        text   CONSTRAINT customer_order_pk PRIMARY KEY,
  customer  text   NOT NULL,
  amount    numeric(12, 2) NOT NULL CONSTRAINT customer_order_amount_positive CHECK (amount > 0),
  placed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE customer_order IS 'Orders as the shop took them.';

CREATE TABLE invoice (
  order_id text CONSTRAINT invoice_pk PRIMARY KEY,
  amount   numeric(12, 2) NOT NULL,
  applied  integer NOT NULL DEFAULT 1
);
COMMENT ON TABLE invoice IS 'What the billing side applied; "applied" counts how often.';

CREATE TYPE job_state AS ENUM ('READY', 'RUNNING', 'DONE', 'DEAD');

CREATE TABLE job (
  id          bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT job_pk PRIMARY KEY,
  epoch       bigint      NOT NULL DEFAULT 0,
  lease_until timestamptz,
  run_after   timestamptz NOT NULL DEFAULT clock_timestamp(),
  attempts    integer     NOT NULL DEFAULT 0,
  state       job_state   NOT NULL DEFAULT 'READY',
  kind        text        NOT NULL DEFAULT 'render',
  input       text        NOT NULL,
  progress    integer     NOT NULL DEFAULT 0,
  worker      text,
  failure     text,
  CONSTRAINT job_leased_iff_running CHECK ((state = 'RUNNING') = (lease_until IS NOT NULL))
) WITH (fillfactor = 33);
CREATE INDEX job_due ON job (kind, run_after, id);
COMMENT ON TABLE job IS 'Long work of the shop, leased and fenced by the library through the shop''s own generated fields.';

CREATE TABLE effect (
  job_id bigint CONSTRAINT effect_pk PRIMARY KEY,
  value  text NOT NULL
);
COMMENT ON TABLE effect IS 'What a finished job left behind.';
