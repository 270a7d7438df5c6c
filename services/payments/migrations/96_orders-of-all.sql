-- Staff list the orders of all partners, newest first. Ids are in the order of time, so the primary key orders all of them;
-- these order one partner's, and those in a rare state. A new order is in none of the states of the second pair.
CREATE INDEX IF NOT EXISTS crypto_orders_of_partner ON crypto_orders (partner_id, id);
CREATE INDEX IF NOT EXISTS fiat_orders_of_partner ON fiat_orders (partner_id, id);
CREATE INDEX IF NOT EXISTS crypto_orders_rare_status ON crypto_orders (status, id)
  WHERE status IN ('underpaid', 'cancelled', 'refunded');
CREATE INDEX IF NOT EXISTS fiat_orders_rare_status ON fiat_orders (status, id)
  WHERE status IN ('cancelled', 'refunded', 'chargeback');
