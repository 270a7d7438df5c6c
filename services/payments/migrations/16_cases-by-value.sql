-- The cases of one payer, at whatever merchant: for the export and the erasure of it.
CREATE INDEX chargeback_cases_by_value ON chargeback_cases (kind, value_mac);
