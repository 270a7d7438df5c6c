import { groupBy, outcomeOf, type Entry } from '../journal.ts'
import { MAX_REFUNDABLE_CENTS } from '../load/card-orders.ts'
import type { ReadRows } from './databases.ts'
import { expectCount, type Findings } from './findings.ts'
import type { OutsideBooks } from './outside-books.ts'

type RefundRow = Readonly<{
  id: string
  key: string
  orderKey: string
  amountCents: number
  state: string
}>
type OrderRow = Readonly<{
  orderKey: string
  status: string
  refundedCents: number
  chargebackCents: number
}>

const sumOf = (refunds: readonly Readonly<{ amountCents: number }>[]): number =>
  refunds.reduce((sum, { amountCents }) => sum + amountCents, 0)

/** One refund a key, of the amount that was asked for. */
const checkKeys = (entries: readonly Entry[], refunds: readonly RefundRow[], findings: Findings): void => {
  const made = refunds.filter(({ state }) => state === 'reconciled')
  const madeBy = groupBy(made, ({ key }) => key)
  const asked = groupBy(entries, (entry) => (entry.act === 'refund.create' ? entry.key : undefined))
  for (const [key, calls] of asked) {
    const outcomes = calls.map(outcomeOf)
    const rows = madeBy.get(key) ?? []
    const bounds = {
      min: outcomes.includes('ok') ? 1 : 0,
      max: outcomes.some((outcome) => outcome !== 'refused') ? 1 : 0,
    }
    expectCount(findings, 'refund: one a key', rows.length, bounds, () => `refunds under ${key}`)
    for (const row of rows)
      findings.expect(
        'wrong',
        'refund: as asked',
        row.amountCents === calls[0]?.amountCents,
        () => `refund ${row.id}`,
      )
  }
}

/** The platform's refunds are the processor's, one to one and to the cent; no order passes its ceiling. */
export const checkRefunds = async (
  entries: readonly Entry[],
  books: OutsideBooks,
  read: ReadRows,
  findings: Findings,
): Promise<void> => {
  const refunds = await read<RefundRow>(
    'refunds',
    `SELECT id, idempotency_key AS key, order_key::text AS "orderKey", amount_cents::int AS "amountCents", state
     FROM refunds`,
  )
  const orders = await read<OrderRow>(
    'payments',
    `SELECT order_key::text AS "orderKey", status, refunded_cents::int AS "refundedCents",
       chargeback_cents::int AS "chargebackCents"
     FROM fiat_orders`,
  )
  checkKeys(entries, refunds, findings)
  const made = refunds.filter(({ state }) => state === 'reconciled')
  const madeById = groupBy(made, ({ id }) => id)
  for (const { id, merchantId } of books.refunds)
    expectCount(
      findings,
      'refund: the processor’s is here',
      madeById.get(merchantId ?? '')?.length ?? 0,
      { min: 1, max: 1 },
      () => `${id} of the processor, ours ${String(merchantId)}`,
    )
  const bookedBy = groupBy(books.refunds, ({ merchantId }) => merchantId ?? undefined)
  for (const { id } of made)
    expectCount(
      findings,
      'refund: at the processor',
      bookedBy.get(id)?.length ?? 0,
      { min: 1, max: 1 },
      () => `refund ${id} at the processor`,
    )

  const bookedOf = groupBy(books.refunds, ({ orderKey }) => orderKey)
  const disputed = new Set(books.disputes.map(({ orderKey }) => orderKey))
  for (const { orderKey, status, refundedCents, chargebackCents } of orders) {
    const cents = sumOf(bookedOf.get(orderKey) ?? [])
    const isDisputed = disputed.has(orderKey)
    const expected = isDisputed ? [0, MAX_REFUNDABLE_CENTS] : [cents, 0]
    findings.expect(
      'wrong',
      'order: refunded as at the processor',
      refundedCents === expected[0] && chargebackCents === expected[1],
      () => `order ${orderKey} ${status} ${refundedCents} ${chargebackCents}, not ${expected.join(' ')}`,
    )
    findings.expect(
      'wrong',
      'order: within its ceiling',
      cents <= MAX_REFUNDABLE_CENTS,
      () => `order ${orderKey}: ${cents}`,
    )
  }
}
