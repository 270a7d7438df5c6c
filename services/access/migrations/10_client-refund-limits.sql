-- What a client may refund a day in one currency, in its minor unit; null: what the refunds service is set to.
ALTER TABLE clients ADD COLUMN daily_refund_limit_cents bigint CHECK (daily_refund_limit_cents >= 0);
