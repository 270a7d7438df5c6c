-- A memo may name people: it is kept encrypted, bound to its refund's id. What was written before this migration lies in
-- "description" until the service has sealed it too.
ALTER TABLE refunds ADD COLUMN description_sealed text;
CREATE INDEX refunds_unsealed ON refunds (id) WHERE description IS NOT NULL;
