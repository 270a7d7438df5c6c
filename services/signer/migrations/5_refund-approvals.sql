-- A refund is of an order or of unattributed money, each with its own approval, which names the refund and is signed by the
-- gateway (ADR 0070). So an order and an address may have several; that each is signed once is what record.records_step
-- says, which the signer's role cannot change.
ALTER TABLE transfers ADD COLUMN unattributed_money_id text;
DROP INDEX transfers_order;
DROP INDEX transfers_key;

-- What was signed on a UTC day, in all (to_address is empty) and to each address. The row's lock makes the limits exact.
CREATE TABLE spending (
  day date NOT NULL,
  asset text NOT NULL,
  to_address text NOT NULL,
  amount numeric NOT NULL,
  PRIMARY KEY (day, asset, to_address)
);
