/**
 * `front` (lane, destination_id, due_at): the earliest due time of every destination and priority that has waiting
 * deliveries. A walk from one to the next through the index, at one look-up each however many rows wait.
 */
export const EARLIEST_DUE = `
  WITH RECURSIVE front AS (
    (SELECT lane, destination_id, due_at FROM deliveries
      WHERE state = 'waiting' ORDER BY lane, destination_id, due_at LIMIT 1)
    UNION ALL
    SELECT next.* FROM front CROSS JOIN LATERAL (
      SELECT lane, destination_id, due_at FROM deliveries
      WHERE state = 'waiting' AND (lane, destination_id) > (front.lane, front.destination_id)
      ORDER BY lane, destination_id, due_at LIMIT 1
    ) AS next
  )`
