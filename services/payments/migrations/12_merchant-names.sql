-- What the payer is shown as the merchant, as it was when the order was made; null: the integration's name.
ALTER TABLE fiat_orders ADD COLUMN merchant_name text;
