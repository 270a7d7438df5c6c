import type { PlanAllowances } from './plan-faults.ts'
import type { TableShapes } from './table-shape.ts'

const MILLION = 1_000_000

/** Tables that every service has: a week of events, a week of idempotency keys. */
export const CHASSIS_SHAPES: TableShapes = {
  outbox_events_before: { rows: 5 * MILLION, bytes: 900 },
  outbox_events_other: { rows: 100_000, bytes: 900 },
  outbox_unpublished: { rows: 1_000, bytes: 40 },
  outbox_published: { rows: 500_000, bytes: 200, columns: { last_stream_seq: {} } },
  outbox_relay: { rows: 1, bytes: 100 },
  outbox_origin: { rows: 1, bytes: 60 },
  ledger_facts: { rows: 10 * MILLION, bytes: 700, columns: { fact_id: {}, seq: {} } },
  inbox: { rows: 5 * MILLION, bytes: 100, columns: { consumer: { distinct: 3 }, event_id: {} } },
  parked_events: { rows: 1_000, bytes: 1_500 },
  idempotency_keys: { rows: MILLION, bytes: 2_000, columns: { partner_id: { distinct: 1 }, key: {} } },
  key_ring: { rows: 10, bytes: 100 },
  wrapped_keys: { rows: 20, bytes: 200 },
  migrations_chassis: { rows: 10, bytes: 60 },
  migrations: { rows: 20, bytes: 60 },
}

export const CHASSIS_ALLOWANCES: PlanAllowances = {
  'ledger-facts.window': { may: ['costs'], because: 'it reads 1,000 facts, in the background' },
  'ledger-facts.list': { may: ['costs'], because: 'as above' },
  'outbox.delete-past': { may: ['costs'], because: 'it deletes a bounded number, in the background' },
  'outbox.republish-after-loss': {
    may: ['costs', 'reads all'],
    because: 'it repairs a lost stream',
  },
}
