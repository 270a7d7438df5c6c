-- Orders that were paid are read again, too, for refunds and disputes whose notices were lost. Apart from pending ones,
-- so that neither holds up the other.
DROP INDEX fiat_orders_poll;
CREATE INDEX fiat_orders_poll ON fiat_orders (poll_at) WHERE poll_at IS NOT NULL AND status = 'pending';
CREATE INDEX fiat_orders_review ON fiat_orders (poll_at) WHERE poll_at IS NOT NULL AND status <> 'pending';
UPDATE fiat_orders SET poll_at = updated_at WHERE status IN ('paid', 'completed', 'refunded', 'chargeback');
