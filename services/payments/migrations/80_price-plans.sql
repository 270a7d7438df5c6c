-- Price plans (decisions §52). A version is never updated or deleted: an order keeps the one under which it was created.
CREATE TABLE price_plans (
  id text PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX price_plans_list ON price_plans (created_at, id);
-- The default plan. It has no version until staff add one: until then the setting SERVICE_FEE_PERCENT applies.
INSERT INTO price_plans (id, name, created_at) VALUES ('ppl_00000000000000000000000000', 'Default', '2026-01-01T00:00:00Z');

CREATE TABLE price_plan_versions (
  id text PRIMARY KEY,
  price_plan_id text NOT NULL REFERENCES price_plans (id),
  number integer NOT NULL CHECK (number > 0),
  rules jsonb NOT NULL,
  dispute_fee_cents bigint CHECK (dispute_fee_cents >= 0),
  payout_fee_cents bigint CHECK (payout_fee_cents >= 0),
  partner_fee_max_percent numeric NOT NULL CHECK (partner_fee_max_percent BETWEEN 0 AND 100),
  use_kyb_choices boolean NOT NULL,
  effective_at timestamptz NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT price_plan_versions_number UNIQUE (price_plan_id, number)
);
CREATE INDEX price_plan_versions_in_force ON price_plan_versions (price_plan_id, effective_at DESC, number DESC);

-- The subject is a partner or a merchant. Its newest row applies; a row without a plan says that the plan above applies.
CREATE TABLE price_plan_assignments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject_id text NOT NULL,
  price_plan_id text REFERENCES price_plans (id),
  created_by text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX price_plan_assignments_newest ON price_plan_assignments (subject_id, id DESC);

-- Null: created before there were plans, or under the default plan's built-in terms.
ALTER TABLE fiat_orders ADD COLUMN IF NOT EXISTS price_plan_version_id text;
