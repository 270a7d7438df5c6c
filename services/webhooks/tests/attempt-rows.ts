/** SQL: every attempt, those that their deliveries hold included. */
export const ATTEMPTS = `(
  SELECT delivery_id, at, status_code FROM attempts
  UNION ALL
  SELECT id, first_at, first_status_code FROM deliveries WHERE first_at IS NOT NULL)`
