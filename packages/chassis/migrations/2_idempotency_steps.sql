-- An effect that asks the outside takes two transactions; in between the key is leased to the call that runs it,
-- and `recorded` names what its first transaction has written.
ALTER TABLE idempotency_keys ADD COLUMN lease_until timestamptz, ADD COLUMN recorded text;
