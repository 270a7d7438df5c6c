import type { TableShapes } from '@causeway/chassis/testing'

const MILLION = 1_000_000

/** The tables of access at 1,000 partners, 200,000 merchants with keys, and years of staff actions. */
export const SHAPES: TableShapes = {
  registry: { rows: 1, bytes: 40 },
  partners: { rows: 1_000, bytes: 400 },
  clients: { rows: 5_000, bytes: 600, columns: { partner_id: { distinct: 1_000 } } },
  client_secrets: { rows: 10_000, bytes: 120, columns: { client_id: { distinct: 5_000 } } },
  signing_keys: { rows: 10, bytes: 600 },
  // Only the version before the chain wrote it.
  audit_entries: { rows: 0, bytes: 600 },
  'audit.records': {
    rows: 10 * MILLION,
    bytes: 900,
    columns: { request_id: { distinct: 6 * MILLION }, kind: { shares: { began: 0.6, ended: 0.4 } } },
  },
  'audit.head': { rows: 1, bytes: 100 },
  merchant_api_keys: {
    rows: MILLION,
    bytes: 150,
    columns: {
      merchant_id: { distinct: 200_000 },
      key_id: { distinct: MILLION },
      revoked_at: { nulls: 0.9 },
      revision: { nulls: 0.9 },
    },
  },
  staff_keys: { rows: 1_000, bytes: 150 },
  pending_actions: {
    rows: 10_000,
    bytes: 900,
    columns: { status: { shares: { waiting: 0.05, done: 0.95 } }, requested_by: { distinct: 500 } },
  },
  portal_links: {
    rows: 10_000,
    bytes: 150,
    columns: {
      owner_id: { distinct: 5_000 },
      origin: { distinct: 5_000 },
      used_at: { nulls: 0.2 },
      ended_at: { nulls: 0.9 },
    },
  },
  sessions: {
    rows: 10_000,
    bytes: 150,
    columns: {
      kind: { distinct: 3 },
      subject: { distinct: 5_000 },
      origin: { distinct: 5_000 },
      ended_at: { nulls: 0.5 },
    },
  },
  client_assertions: { rows: MILLION, bytes: 100, columns: { client_id: { distinct: 5_000 } } },
  revoked_tokens: { rows: 100_000, bytes: 100, columns: { client_id: { distinct: 5_000 } } },
}
