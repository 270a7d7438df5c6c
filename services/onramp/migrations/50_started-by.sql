-- Who started a purchase. The order's buyer on the public payment page may be anybody who knows its address.
ALTER TABLE onramp_orders
  ADD COLUMN started_by text NOT NULL DEFAULT 'partner' CHECK (started_by IN ('partner', 'buyer'));
