-- Refunds that the processor has not answered, for staff: few of all.
CREATE INDEX IF NOT EXISTS refunds_pending ON refunds (created_at, id) WHERE state IN ('sent', 'unknown');
