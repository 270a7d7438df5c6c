-- How merchants stand against the chargeback threshold (decisions §4). A row is there from the first dispute on.
CREATE TABLE dispute_standings (
  merchant_id text PRIMARY KEY,
  is_over boolean NOT NULL DEFAULT false,
  -- grows with every change that other services are told of
  version bigint NOT NULL DEFAULT 0,
  -- when it has to be judged again; null: not before another dispute
  judge_at timestamptz
);
CREATE INDEX dispute_standings_due ON dispute_standings (judge_at) WHERE judge_at IS NOT NULL;
INSERT INTO dispute_standings (merchant_id, judge_at)
  SELECT DISTINCT merchant_id, '-infinity'::timestamptz FROM chargebacks;

-- What is counted: disputes by when they were recorded, orders by when they were paid.
CREATE INDEX chargebacks_by_merchant ON chargebacks (merchant_id, created_at);
CREATE INDEX fiat_orders_paid ON fiat_orders (merchant_id, completed_at) WHERE completed_at IS NOT NULL;
