-- Checkout configurations of card payments (spec: Fiat integration).
CREATE TABLE integrations (
  id text PRIMARY KEY,
  partner_id text NOT NULL,
  partner_customer_id text NOT NULL,
  merchant_id text NOT NULL,
  name text NOT NULL,
  processor text NOT NULL,
  return_url text,
  failure_url text,
  contact_url text,
  -- the one that every customer begins with; kept when deleted, so that it is not made again
  seeded boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  updated_at timestamptz,
  deleted_at timestamptz
);
CREATE UNIQUE INDEX integrations_name ON integrations (partner_customer_id, name) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX integrations_seeded ON integrations (partner_customer_id) WHERE seeded;
CREATE INDEX integrations_list ON integrations (partner_customer_id, created_at, id) WHERE deleted_at IS NULL;
