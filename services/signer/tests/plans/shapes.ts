import type { TableShapes } from '@causeway/chassis/testing'

const MILLION = 1_000_000
const TRANSFERS = MILLION
const RECORDS = 5 * MILLION

/** The signer's tables after 1,000,000 transfers. */
export const SHAPES: TableShapes = {
  transfers: {
    rows: TRANSFERS,
    bytes: 1_500,
    columns: {
      id: {},
      network: { distinct: 5 },
      order_id: {},
      key_index: { distinct: TRANSFERS },
      status: { shares: { confirmed: 0.99, failed: 0.009, broadcast: 0.001 } },
      due_at: { nulls: 0.999 },
      updated_at: {},
    },
  },
  transfer_sources: {
    rows: 3 * TRANSFERS,
    bytes: 80,
    columns: {
      transfer_id: { distinct: TRANSFERS },
      network: { distinct: 5 },
      key_index: { distinct: TRANSFERS },
    },
  },
  sweeps: { rows: 7, bytes: 100 },
  spending: { rows: MILLION, bytes: 80, columns: { day: { distinct: 1_000 }, to_address: {} } },
  payout_spending: { rows: 10_000, bytes: 60, columns: { day: { distinct: 1_000 } } },
  signings: { rows: 5, bytes: 50 },
  'record.records': {
    rows: RECORDS,
    bytes: 900,
    columns: { sequence: {}, subject: { distinct: 2 * TRANSFERS }, kind: { distinct: 7 } },
  },
  'record.head': { rows: 1, bytes: 100 },
}
