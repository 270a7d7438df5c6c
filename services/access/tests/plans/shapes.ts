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
  // Two people of each merchant, ten of each partner.
  people: {
    rows: 400_000,
    bytes: 300,
    columns: {
      owner_kind: { shares: { partner: 0.03, merchant: 0.97 } },
      owner_id: { distinct: 200_000 },
      email_mac: { distinct: 300_000, nulls: 0.1 },
      invitation_hash: { nulls: 0.95 },
      invitation_expires_at: { nulls: 0.95 },
      accepted_at: { nulls: 0.1 },
      removed_at: { nulls: 0.9 },
    },
  },
  // Those of a day.
  notices: {
    rows: 500_000,
    bytes: 100,
    columns: { person_id: { distinct: 100_000 }, kind: { distinct: 6 } },
  },
  known_browsers: { rows: MILLION, bytes: 100, columns: { person_id: { distinct: 300_000 } } },
  // Those of 15 minutes.
  sign_in_requests: {
    rows: 10_000,
    bytes: 300,
    columns: {
      email_mac: { distinct: 5_000 },
      email_sealed: { nulls: 0.99 },
      token_hash: { nulls: 0.2 },
      used_at: { nulls: 0.2 },
    },
  },
  // Those of 30 days, without their content.
  mails: {
    rows: MILLION,
    bytes: 120,
    columns: {
      message_sealed: { nulls: 0.999 },
      next_attempt_at: { nulls: 0.999 },
      ended_at: { nulls: 0.001 },
      outcome: { nulls: 0.001, shares: { sent: 0.99, refused: 0.008, expired: 0.001 } },
    },
  },
  client_assertions: { rows: MILLION, bytes: 100, columns: { client_id: { distinct: 5_000 } } },
  revoked_tokens: { rows: 100_000, bytes: 100, columns: { client_id: { distinct: 5_000 } } },
}
