-- The first attempt of a delivery that it ended: in nearly every delivery the only one, and not worth a row of its own.
-- Null where `attempts` has it: it did not end the delivery, an older version recorded it, or attempts are kept for a
-- shorter time than events. A replica of the version before leaves these columns alone, and does not show them.
ALTER TABLE deliveries
  ADD COLUMN first_at timestamptz,
  ADD COLUMN first_status_code smallint,
  ADD COLUMN first_latency_ms integer,
  ADD COLUMN first_error text,
  ADD COLUMN first_response_body text;
