-- A refund sends back what an order has received, or one amount of unattributed money (decisions §52).
ALTER TABLE order_refunds
  ADD COLUMN unattributed_money_id text,
  -- null: the order's
  ADD COLUMN asset text,
  -- JSON: the deposits that it is paid from where the network has unspent outputs; null: all that count
  ADD COLUMN coins text,
  -- recorded by staff, who have sent it themselves
  ADD COLUMN sent_by_hand boolean NOT NULL DEFAULT false;
-- What an order has received is sent back once, and so is each amount of unattributed money.
DROP INDEX order_refunds_order;
CREATE UNIQUE INDEX IF NOT EXISTS order_refunds_of_received ON order_refunds (order_id)
  WHERE status <> 'failed' AND unattributed_money_id IS NULL;
CREATE UNIQUE INDEX IF NOT EXISTS order_refunds_of_money ON order_refunds (unattributed_money_id)
  WHERE status <> 'failed' AND unattributed_money_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS order_refunds_by_money ON order_refunds (unattributed_money_id)
  WHERE unattributed_money_id IS NOT NULL;

-- The refund that sends it back, from when it is asked for.
ALTER TABLE unattributed_money ADD COLUMN refund_id text;
CREATE INDEX IF NOT EXISTS unattributed_money_of_refund ON unattributed_money (refund_id) WHERE refund_id IS NOT NULL;
