import { groupBy } from '../journal.ts'
import type { ReadRows } from './databases.ts'
import { expectCount, type Findings } from './findings.ts'
import type { OutsideBooks } from './outside-books.ts'

const ONCE = { min: 1, max: 1 }

/** Checks that everything at the chain and at the processor was counted once and shows in its order. */
export const checkPayments = async (
  books: OutsideBooks,
  read: ReadRows,
  findings: Findings,
): Promise<void> => {
  const deposits = await read<{ txId: string }>(
    'payments',
    'SELECT tx_id AS "txId" FROM crypto_deposits WHERE counted_at IS NOT NULL',
  )
  const counted = groupBy(deposits, ({ txId }) => txId)
  for (const { txId } of books.deposits)
    expectCount(
      findings,
      'deposit: counted once',
      counted.get(txId)?.length ?? 0,
      ONCE,
      () => `deposit ${txId}`,
    )

  const crypto = await read<{ id: string; status: string; isAsCounted: boolean }>(
    'payments',
    `SELECT o.id, o.status, o.received = coalesce(d.amount, 0) AS "isAsCounted" FROM crypto_orders o
     LEFT JOIN (SELECT order_id, sum(amount) AS amount FROM crypto_deposits WHERE counted_at IS NOT NULL GROUP BY 1) d
       ON d.order_id = o.id`,
  )
  const depositedFor = groupBy(books.deposits, ({ orderId }) => orderId)
  for (const { id, status, isAsCounted } of crypto) {
    const isPaid = depositedFor.has(id)
    findings.expect(
      'wrong',
      'crypto order: received as counted',
      isAsCounted || status === 'cancelled',
      () => id,
    )
    findings.expect(
      'lost',
      'crypto order: paid as deposited',
      isPaid ? status === 'paid' || status === 'cancelled' : status !== 'paid',
      () => `order ${id} is ${status}, ${isPaid ? '' : 'not '}deposited for`,
    )
  }

  const card = await read<{ orderKey: string; status: string }>(
    'payments',
    'SELECT order_key::text AS "orderKey", status FROM fiat_orders',
  )
  const statuses = new Map(card.map(({ orderKey, status }) => [orderKey, status]))
  for (const { orderKey, paidCents } of books.payments)
    if (paidCents > 0)
      findings.expect(
        'lost',
        'card order: paid as at the processor',
        ['paid', 'refunded', 'chargeback'].includes(statuses.get(orderKey) ?? ''),
        () => `order ${orderKey} is ${String(statuses.get(orderKey))}`,
      )
  const chargebacks = await read<{ id: string }>('payments', 'SELECT dispute_id AS id FROM chargebacks')
  const recorded = groupBy(chargebacks, ({ id }) => id)
  for (const { id } of books.disputes)
    expectCount(
      findings,
      'dispute: recorded once',
      recorded.get(id)?.length ?? 0,
      ONCE,
      () => `dispute ${id}`,
    )
}
