-- How far the addresses of paid orders were emptied, by network and asset, and when the next look is due; null: on
-- command only.
CREATE TABLE sweeps (
  network text NOT NULL,
  asset text NOT NULL,
  after_order_id text,
  due_at timestamptz,
  PRIMARY KEY (network, asset)
);
