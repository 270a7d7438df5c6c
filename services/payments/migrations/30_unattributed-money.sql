-- How much of a counted deposit is open, pays its order, or does neither (decisions §52). Null: it does not count, or was
-- counted by an older version and is split as soon as this one runs.
ALTER TABLE crypto_deposits
  ADD COLUMN open_amount numeric,
  ADD COLUMN applied_amount numeric,
  ADD COLUMN excess_amount numeric,
  ADD COLUMN late_amount numeric,
  ADD COLUMN foreign_amount numeric,
  ADD CONSTRAINT crypto_deposits_split CHECK (
    CASE WHEN num_nulls(open_amount, applied_amount, excess_amount, late_amount, foreign_amount) = 5 THEN true
    ELSE counted_at IS NOT NULL
      AND least(open_amount, applied_amount, excess_amount, late_amount, foreign_amount) >= 0
      AND open_amount + applied_amount + excess_amount + late_amount + foreign_amount IS NOT DISTINCT FROM amount
    END) NOT VALID;

-- Deposits that were counted and not split: those of older versions. Empty once they are split.
CREATE INDEX IF NOT EXISTS crypto_deposits_unsplit ON crypto_deposits (order_id)
  WHERE counted_at IS NOT NULL AND open_amount IS NULL;

-- Money that counts for no order, until it ends (decisions §52).
CREATE TABLE unattributed_money (
  id text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('excess', 'second', 'late', 'foreign', 'unknown', 'card_after_end')),
  -- 'EUR', or 'ETH/USDC'
  unit text NOT NULL,
  -- minor units of a currency; decimal in an asset
  amount numeric NOT NULL CHECK (amount > 0),
  -- a crypto order, or the key of a card order; both null where none is known
  order_id text,
  order_key bigint,
  partner_id text,
  partner_customer_id text,
  merchant_id text,
  -- a deposit
  network text,
  tx_id text,
  output_index integer,
  address text,
  block_number bigint,
  -- of unknown money alone: others have their deposit's
  block_hash text,
  -- a card payment
  processor text,
  processor_order_id text,
  received_at timestamptz NOT NULL,
  status text NOT NULL CHECK (status IN ('open', 'refunding', 'ended')),
  ended_by text CHECK (ended_by IN ('refund', 'applied', 'kept', 'handled', 'counted', 'reverted')),
  ended_at timestamptz,
  ended_actor text,
  reason text,
  -- the transaction that sent it elsewhere
  ended_tx_id text,
  CONSTRAINT unattributed_money_end CHECK ((status = 'ended') = (ended_by IS NOT NULL)
    AND (ended_by IS NULL) = (ended_at IS NULL)),
  CONSTRAINT unattributed_money_source CHECK (CASE WHEN kind = 'card_after_end'
    THEN num_nulls(processor, processor_order_id) = 0 AND num_nonnulls(network, tx_id, output_index) = 0
    ELSE num_nonnulls(processor, processor_order_id) = 0 AND num_nulls(network, tx_id, output_index, address) = 0 END)
);
CREATE INDEX unattributed_money_list ON unattributed_money (status, received_at, id);
CREATE INDEX unattributed_money_list_of_kind ON unattributed_money (kind, status, received_at, id);
CREATE INDEX unattributed_money_of_deposit ON unattributed_money (network, tx_id, output_index)
  WHERE network IS NOT NULL;
CREATE INDEX unattributed_money_of_order ON unattributed_money (order_id) WHERE order_id IS NOT NULL;
CREATE UNIQUE INDEX unattributed_money_open ON unattributed_money (network, tx_id, output_index)
  WHERE status = 'open' AND network IS NOT NULL;
CREATE UNIQUE INDEX unattributed_money_card ON unattributed_money (processor, processor_order_id)
  WHERE processor IS NOT NULL;

-- The late payments that there are. They keep their ids, but for the prefix. The table stays for older versions that
-- still run; what those write into it is found by its deposit, which is not split.
INSERT INTO unattributed_money (id, kind, unit, amount, order_id, partner_id, partner_customer_id, merchant_id, network,
  tx_id, output_index, address, block_number, received_at, status, ended_by, ended_at)
SELECT 'umy_' || substr(l.id, 5), 'late', d.network || '/' || d.asset, d.amount, o.id, o.partner_id,
  o.partner_customer_id, o.merchant_id, d.network, d.tx_id, d.output_index, o.address, d.block_number, l.received_at,
  CASE WHEN e.ended_by IS NULL THEN 'open' ELSE 'ended' END, e.ended_by,
  CASE WHEN e.ended_by IS NOT NULL THEN coalesce(o.refunded_at, o.updated_at) END
FROM late_payments l
JOIN crypto_deposits d USING (network, tx_id, output_index)
JOIN crypto_orders o ON o.id = l.order_id
CROSS JOIN LATERAL (SELECT CASE
  WHEN o.status = 'paid' THEN 'counted'
  WHEN o.status = 'refunded' AND l.received_at <= o.refunded_at THEN 'refund' END AS ended_by) e
WHERE l.reverted_at IS NULL AND d.counted_at IS NOT NULL;
-- A deposit that is in no block any more may be deleted although it had been late once.
ALTER TABLE late_payments DROP CONSTRAINT late_payments_network_tx_id_output_index_fkey;
