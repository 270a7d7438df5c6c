-- The block in which payments saw the transaction of a refund that staff sent. Null: it was not checked, because the network
-- had no node, or because an older version recorded it.
ALTER TABLE order_refunds ADD COLUMN IF NOT EXISTS tx_block bigint;

-- Refunds by their transaction: one transaction proves no more than it pays.
CREATE INDEX IF NOT EXISTS order_refunds_by_hand ON order_refunds (tx_id) WHERE sent_by_hand AND tx_id IS NOT NULL;
