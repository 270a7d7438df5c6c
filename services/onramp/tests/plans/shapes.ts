import type { TableShapes } from '@causeway/chassis/testing'

const MILLION = 1_000_000

/** Onramp's table at 2,000,000 purchases, all of one partner. */
export const SHAPES: TableShapes = {
  onramp_orders: {
    rows: 2 * MILLION,
    bytes: 900,
    columns: {
      partner_id: { distinct: 1 },
      order_id: { distinct: { busy: 200_000, even: 1_800_000 } },
      provider: { distinct: 2 },
      provider_order_id: { nulls: 0.01 },
      outcome: { nulls: 0.01, shares: { success: 0.7, failure: 0.29 } },
      due_at: { nulls: 0.99 },
      poll_at: { nulls: 0.99 },
    },
  },
}
