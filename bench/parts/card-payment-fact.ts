import type { LedgerFact } from '@causeway/contracts'
import { FLOOR_RELATIONSHIPS } from '../floors/books-rows.ts'

const HOURS_48_MS = 172_800_000

const idOf = (prefix: string, number: number) => `${prefix}_${String(number).padStart(26, '0')}`

/** A payment of the n-th relationship. @param processors between which payments are spread */
export const paymentOf = (number: number, processors: number): LedgerFact => ({
  kind: 'card_paid',
  fact_id: `card_paid:${idOf('fio', number)}`,
  at: '2026-11-21T12:00:00.000Z',
  available_at: new Date(Date.now() + HOURS_48_MS).toISOString(),
  order_key: String(number),
  order_id: idOf('fio', number),
  partner_id: idOf('prt', 1),
  partner_customer_id: idOf('pcu', number % FLOOR_RELATIONSHIPS),
  processor: `processor-${number % processors}`,
  currency: 'EUR',
  partner_fee_cents: 0,
  splits: [],
  total_cents: 10_000,
  service_fee_cents: 250,
})
