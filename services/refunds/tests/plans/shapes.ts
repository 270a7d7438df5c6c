import type { TableShapes } from '@causeway/chassis/testing'

const MILLION = 1_000_000

/** Refunds' tables at 2,000,000 refunds, all of one partner. */
export const SHAPES: TableShapes = {
  refunds: {
    rows: 2 * MILLION,
    bytes: 700,
    columns: {
      partner_id: { distinct: 1 },
      order_key: { distinct: { busy: 200_000, even: 1_800_000 } },
      state: {
        shares: {
          reconciled: 0.9,
          failed: 0.08,
          succeeded: 0.005,
          unknown: 0.005,
          sent: 0.005,
          requested: 0.005,
        },
      },
      processor: { distinct: 2 },
      processor_refund_id: { nulls: 0.1 },
      due_at: { nulls: 0.99 },
      found_at: { nulls: 0.02 },
      description: { nulls: 0.9999 },
      client_id: { distinct: 5_000 },
    },
  },
  reconciliation_runs: { rows: 20, bytes: 500 },
  refund_differences: {
    rows: 100_000,
    bytes: 500,
    columns: { processor: { distinct: 2 }, processor_refund_id: {}, closed_at: { nulls: 0.2 } },
  },
  client_refund_days: { rows: MILLION, bytes: 120, columns: { client_id: { distinct: 5_000 } } },
}
