import type { TableShapes } from '@causeway/chassis/testing'

const MILLION = 1_000_000

const CUSTOMERS = { busy: 1_000, even: MILLION }
const ORDERS = 10 * MILLION

/** Payments' tables at 10,000,000 orders of each kind, all of one partner, and 200,000 disputes. */
export const SHAPES: TableShapes = {
  relationships: {
    rows: 2 * MILLION,
    bytes: 900,
    columns: {
      partner_id: { distinct: 1 },
      merchant_id: { distinct: MILLION },
      status: { shares: { active: 0.95, revoked: 0.05 } },
    },
  },
  crypto_orders: {
    rows: ORDERS,
    bytes: 800,
    columns: {
      partner_id: { distinct: 1 },
      partner_customer_id: { distinct: CUSTOMERS },
      merchant_id: { distinct: CUSTOMERS },
      reference: {},
      watch_address: {},
      network: { distinct: 5 },
      status: {
        shares: { paid: 0.6, expired: 0.3, cancelled: 0.06, pending: 0.02, underpaid: 0.01, refunded: 0.01 },
      },
      onramp_order_id: { nulls: 0.99 },
    },
  },
  order_numbers: { rows: 6, bytes: 100 },
  past_facts: { rows: 1, bytes: 60 },
  past_fact_gaps: { rows: 1_000, bytes: 150, columns: { subject: {} } },
  skipped_numbers: { rows: 100, bytes: 60, columns: { network: { distinct: 5 } } },
  skipped_addresses: { rows: 500_000, bytes: 100, columns: { watch_address: {}, network: { distinct: 5 } } },
  unwatched_orders: { rows: 1_000, bytes: 60 },
  crypto_deposits: {
    rows: 7 * MILLION,
    bytes: 250,
    columns: {
      network: { distinct: 5 },
      tx_id: {},
      output_index: { distinct: 5 },
      order_id: { distinct: 6 * MILLION },
      block_number: { distinct: 2 * MILLION, nulls: 0.00001 },
      block_hash: { distinct: 2 * MILLION, nulls: 0.00001 },
      counted_at: { nulls: 0.02 },
      open_amount: { nulls: 0.02 },
    },
  },
  order_refunds: {
    rows: 100_000,
    bytes: 300,
    columns: {
      id: {},
      order_id: { distinct: 99_000 },
      unattributed_money_id: { nulls: 0.5 },
      status: { shares: { confirmed: 0.99, failed: 0.01 } },
      due_at: { nulls: 0.999 },
    },
  },
  deposit_reversals: { rows: 10_000, bytes: 250, columns: { order_id: { distinct: 9_000 }, tx_id: {} } },
  chain_feed: { rows: 1, bytes: 60 },
  balance_checks: {
    rows: 2 * MILLION,
    bytes: 70,
    columns: { order_id: {}, due_number: { distinct: 200_000 } },
  },
  chain_positions: { rows: 5, bytes: 120 },
  chain_blocks: { rows: 5_000, bytes: 120, columns: { network: { distinct: 5 }, number: {}, hash: {} } },
  integrations: {
    rows: 2 * MILLION,
    bytes: 350,
    columns: {
      partner_id: { distinct: 1 },
      // 25 at the most, and those that were deleted.
      partner_customer_id: { distinct: { busy: 40_000, even: MILLION } },
      name: { distinct: 1_000 },
      seeded: { shares: { t: 0.5, f: 0.5 } },
      deleted_at: { nulls: 0.9 },
    },
  },
  fiat_orders: {
    rows: ORDERS,
    bytes: 800,
    columns: {
      partner_id: { distinct: 1 },
      partner_customer_id: { distinct: CUSTOMERS },
      merchant_id: { distinct: CUSTOMERS },
      integration_id: { distinct: { busy: 2_000, even: MILLION } },
      merchant_reference: { nulls: 0.1 },
      status: {
        shares: {
          completed: 0.6,
          expired: 0.2,
          paid: 0.1,
          cancelled: 0.05,
          pending: 0.02,
          refunded: 0.02,
          chargeback: 0.01,
        },
      },
      processor: { distinct: 2 },
      processor_order_id: { nulls: 0.01 },
      poll_at: { nulls: 0.9 },
      completed_at: { nulls: 0.25 },
    },
  },
  price_plans: { rows: 1_000, bytes: 100, columns: { id: {}, created_at: {} } },
  price_plan_versions: {
    rows: 10_000,
    bytes: 600,
    columns: { id: {}, price_plan_id: { distinct: 1_000 }, number: { distinct: 10 } },
  },
  price_plan_assignments: {
    rows: 100_000,
    bytes: 120,
    columns: { subject_id: { distinct: 50_000 }, price_plan_id: { distinct: 1_000, nulls: 0.1 } },
  },
  fiat_refunds_seen: { rows: 500_000, bytes: 120, columns: { order_id: { distinct: 400_000 } } },
  chargebacks: {
    rows: 200_000,
    bytes: 350,
    columns: {
      partner_id: { distinct: 1 },
      partner_customer_id: { distinct: CUSTOMERS },
      merchant_id: { distinct: CUSTOMERS },
      order_id: { distinct: 190_000 },
      order_key: { distinct: 190_000 },
      processor: { distinct: 2 },
      dispute_id: {},
      ip_mac: { distinct: 50_000, nulls: 0.2 },
    },
  },
  chargeback_cases: {
    rows: 200_000,
    bytes: 300,
    columns: {
      partner_id: { distinct: 1 },
      partner_customer_id: { distinct: CUSTOMERS },
      kind: { shares: { ip: 0.5, email: 0.5 } },
      value_mac: { distinct: 100_000 },
      status: { shares: { active: 0.6, lifted: 0.4 } },
    },
  },
  risk_alerts: { rows: 100_000, bytes: 100, columns: { ip_mac: { distinct: 50_000 } } },
  payouts: {
    rows: MILLION,
    bytes: 200,
    columns: { merchant_id: { distinct: 100_000 }, status: { shares: { upcoming: 0.05, sent: 0.95 } } },
  },
  dispute_standings: {
    rows: 100_000,
    bytes: 80,
    columns: { judge_at: { nulls: 0.5 }, is_over: { shares: { f: 0.99, t: 0.01 } } },
  },
  // Nothing reads it any more; older versions that still run do.
  late_payments: { rows: 100_000, bytes: 200, columns: { order_id: { distinct: 90_000 }, tx_id: {} } },
  unattributed_money: {
    rows: 200_000,
    bytes: 400,
    columns: {
      kind: {
        shares: { late: 0.5, second: 0.2, excess: 0.2, foreign: 0.05, unknown: 0.03, card_after_end: 0.02 },
      },
      network: { distinct: 5, nulls: 0.02 },
      tx_id: { nulls: 0.02 },
      output_index: { distinct: 5, nulls: 0.02 },
      order_id: { distinct: 180_000, nulls: 0.05 },
      order_key: { nulls: 0.98 },
      processor: { nulls: 0.98 },
      status: { shares: { ended: 0.989, open: 0.01, refunding: 0.001 } },
      ended_by: { shares: { counted: 0.3, refund: 0.5, reverted: 0.1, kept: 0.05, handled: 0.05 } },
    },
  },
  card_notices_taken: { rows: MILLION, bytes: 100, columns: { processor: { distinct: 2 }, notice_id: {} } },
  // One a month.
  data_keys: { rows: 100, bytes: 250 },
}
