-- When a refund that its order counted failed at its processor: it counts no more, and never again (decisions §33).
ALTER TABLE fiat_refunds_seen ADD COLUMN failed_at timestamptz;
