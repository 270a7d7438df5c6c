-- Disputes of one address are counted by its keyed hash (decisions §10, risk_alert).
CREATE INDEX chargebacks_by_ip ON chargebacks (ip_mac, created_at) WHERE ip_mac IS NOT NULL;

-- Which merchant was alerted of which address, and when last.
CREATE TABLE risk_alerts (
  ip_mac bytea NOT NULL,
  merchant_id text NOT NULL,
  alerted_at timestamptz NOT NULL,
  PRIMARY KEY (ip_mac, merchant_id)
);

-- Payouts as staff announce them (decisions §14). Amounts in the currency's minor unit.
CREATE TABLE payouts (
  id text PRIMARY KEY,
  merchant_id text NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  currency text NOT NULL,
  status text NOT NULL CHECK (status IN ('upcoming', 'sent')),
  scheduled_for timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  sent_at timestamptz
);
CREATE INDEX relationships_by_merchant ON relationships (merchant_id);
