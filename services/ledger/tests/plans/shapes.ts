import type { TableShapes } from '@causeway/chassis/testing'

const MILLION = 1_000_000
const POSTINGS = 5 * MILLION
const OWNERS = 200_000
/** One owner has a million entries, the others few. */
const ACCOUNTS = { busy: 10, even: 400_000 }

/** The books after 10,000,000 entries. */
export const SHAPES: TableShapes = {
  'books.accounts': {
    rows: 2 * OWNERS,
    bytes: 100,
    columns: {
      id: {},
      name: { distinct: 2 * OWNERS },
      unit: { distinct: 20 },
      owner_id: { distinct: OWNERS, nulls: 0.001 },
      balance: { shares: { pending: 0.5, available: 0.5 }, nulls: 0.001 },
    },
  },
  daily_totals: {
    rows: 50 * MILLION,
    bytes: 90,
    columns: {
      scope: { distinct: OWNERS },
      day: { distinct: 400 },
      unit: { distinct: 20 },
      kind: { distinct: 20 },
    },
  },
  'books.head': { rows: 1, bytes: 50 },
  'books.journal': {
    rows: POSTINGS,
    bytes: 300,
    columns: {
      seq: {},
      id: {},
      source: { distinct: POSTINGS / 2 },
      rule: { distinct: 2 },
      order_key: { distinct: POSTINGS / 3, nulls: 0.1 },
      order_id: { distinct: POSTINGS / 3 },
      reverses: { nulls: 0.999 },
      estimated: { shares: { f: 0.9999, t: 0.0001 } },
      recorded_at: { distinct: POSTINGS },
    },
  },
  'books.transfers': {
    rows: 8 * MILLION,
    bytes: 80,
    columns: {
      seq: { distinct: POSTINGS },
      line: { distinct: 3 },
      debit: { distinct: ACCOUNTS },
      credit: { distinct: ACCOUNTS },
    },
  },
  'books.entries': {
    rows: 10 * MILLION,
    bytes: 90,
    columns: {
      account_id: { distinct: ACCOUNTS },
      number: { distinct: MILLION },
      seq: { distinct: POSTINGS },
      line: { distinct: 3 },
      kind: {
        shares: { payment: 0.3, service_fee: 0.3, release: 0.3, deposit: 0.05, refund: 0.04, dispute: 0.01 },
      },
    },
  },
  'books.balances': { rows: 2 * OWNERS, bytes: 60, columns: { account_id: {} } },
  'books.seals': {
    rows: 500_000,
    bytes: 150,
    columns: { number: {}, month: { distinct: 12 }, closes: { shares: { f: 0.9999, t: 0.0001 } } },
  },
  'books.seal_leaves': {
    rows: 20 * MILLION,
    bytes: 250,
    columns: {
      seal: { distinct: 500_000 },
      place: { distinct: 100_000 },
      account_id: { distinct: ACCOUNTS },
    },
  },
  'books.scheduled': {
    rows: 100_000,
    bytes: 900,
    columns: { source: {}, rule: { distinct: 1 }, due_at: { distinct: 100_000 } },
  },
  relationships: {
    rows: OWNERS,
    bytes: 200,
    columns: {
      partner_customer_id: {},
      partner_id: { distinct: 100 },
      merchant_id: { distinct: OWNERS },
      status: { shares: { active: 0.95, revoked: 0.05 } },
    },
  },
  cursor_key: { rows: 1, bytes: 60 },
  reports: {
    rows: 10_000,
    bytes: 400,
    columns: {
      report_id: {},
      partner_id: { distinct: 100 },
      status: { shares: { ready: 0.99, queued: 0.005, running: 0.005 } },
      created_at: { distinct: 10_000 },
    },
  },
  report_parts: {
    rows: 100_000,
    bytes: 500_000,
    columns: { report_id: { distinct: 10_000 }, part: { distinct: 80 } },
  },
}
