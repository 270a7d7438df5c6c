-- Reserve plans of merchants, and what they hold (decisions §52). Amounts are in the smallest part of their unit.

-- A version is in force from set_at until the next one; without terms it ends the plan. Rows are never changed.
CREATE TABLE reserve_plans (
  merchant_id text NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  -- share of what an order earns, in hundredths of a percent
  share_bps integer CHECK (share_bps BETWEEN 1 AND 10000),
  days integer CHECK (days > 0),
  fixed_cents bigint CHECK (fixed_cents > 0),
  currency text,
  set_at timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, version),
  CONSTRAINT reserve_plans_share CHECK ((share_bps IS NULL) = (days IS NULL)),
  CONSTRAINT reserve_plans_fixed CHECK ((fixed_cents IS NULL) = (currency IS NULL)),
  CONSTRAINT reserve_plans_one CHECK (share_bps IS NULL OR fixed_cents IS NULL)
);

-- What is held of an owner's money: for an order, by its key or id, or, where order_ref is empty, by a fixed plan.
CREATE TABLE reserves (
  owner_id text NOT NULL,
  unit text NOT NULL,
  order_ref text NOT NULL,
  held numeric(38, 0) NOT NULL CHECK (held >= 0),
  movements integer NOT NULL,
  -- when the clock changes it next
  due_at timestamptz,
  PRIMARY KEY (owner_id, unit, order_ref)
);
CREATE INDEX reserves_due ON reserves (owner_id, unit, due_at) WHERE due_at IS NOT NULL;

-- Contents of the postings that reserve and release, by their sources: a rebuild of the books repeats them.
CREATE TABLE reserve_movements (
  source text PRIMARY KEY,
  owner_id text NOT NULL,
  unit text NOT NULL,
  order_key text,
  order_id text,
  -- positive: reserved; negative: released
  amount numeric(38, 0) NOT NULL CHECK (amount <> 0),
  effective_at timestamptz NOT NULL
);

-- The last entry of an available balance that was considered, and the version of the plan then.
CREATE TABLE reserve_accounts (
  owner_id text NOT NULL,
  unit text NOT NULL,
  through bigint NOT NULL,
  plan_version integer NOT NULL,
  PRIMARY KEY (owner_id, unit)
);
