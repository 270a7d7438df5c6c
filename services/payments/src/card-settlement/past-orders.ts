import type { LedgerFact } from '@causeway/contracts'
import type { CardDispute, CardRefund } from '@causeway/rails/cards'
import { isOpen, type OpenFiatOrder } from '../fiat-orders/domain.ts'
import type { Gap, PastPage, PastSource } from '../past-facts/past-facts.ts'
import { ledgerFactsOf } from './ledger-facts.ts'
import { listPaidOrders, type PastOrder } from './past-orders-store.ts'
import {
  refundIdsAfter,
  settleAccepted,
  settleDispute,
  settleRefund,
  type CountedIds,
  type Settlement,
} from './transitions.ts'

/** One change of an order, at the time at which it was recorded. `rank`: its place among changes of one moment. */
type Change = Readonly<{
  at: Date
  rank: string
  settle: (order: OpenFiatOrder, counted: CountedIds) => Settlement | null
}>

const refundOf = (
  order: PastOrder,
  { processorRefundId, amountCents, seenAt }: PastOrder['refunds'][number],
  status: CardRefund['status'],
): CardRefund => ({
  processorRefundId,
  refundId: null,
  orderKey: String(order.orderKey),
  amountCents,
  currency: order.currency,
  status,
  createdAt: seenAt,
})

const disputeOf = ({ recordedAt: _at, ...stated }: PastOrder['disputes'][number]): CardDispute => ({
  ...stated,
  disputedAt: null,
  reason: null,
})

/** Everything that moved an order's money: its payment, then the others, oldest first; of one settlement refunds come before disputes. */
const changesOf = (order: PastOrder): Change[] => {
  const { completedAt, currency, totalCents } = order
  const captured = { currency, amountCents: totalCents }
  const paid: Change[] =
    completedAt === null
      ? []
      : [
          {
            at: completedAt,
            rank: '',
            settle: (from) => settleAccepted({ ...from, status: 'expired' }, captured, completedAt),
          },
        ]
  const refunds = order.refunds.flatMap((row): Change[] => {
    const change = (at: Date, step: string, status: CardRefund['status']): Change => ({
      at,
      rank: `1 ${row.processorRefundId} ${step}`,
      settle: (from, counted) => settleRefund(from, refundOf(order, row, status), counted, at),
    })
    const failed = row.failedAt === null ? [] : [change(row.failedAt, '2', 'failed')]
    return [change(row.seenAt, '1', 'succeeded'), ...failed]
  })
  const disputes = order.disputes.map((row): Change => ({
    at: row.recordedAt,
    rank: `2 ${row.disputeId}`,
    settle: (from, counted) => settleDispute(from, disputeOf(row), counted, row.recordedAt),
  }))
  const later = [...refunds, ...disputes].sort(
    (a, b) => a.at.getTime() - b.at.getTime() || (a.rank < b.rank ? -1 : 1),
  )
  return [...paid, ...later]
}

const NOTHING_COUNTED: CountedIds = {
  refundIds: new Set(),
  failedRefundIds: new Set(),
  disputeIds: new Set(),
}

type Past = Readonly<{ facts: readonly LedgerFact[]; gaps: readonly Gap[] }>

/**
 * Returns the facts of an order from its rows: it is settled again, change by change, by the rules that settle orders. Its
 * money became available by the present setting. A gap: the result is not the order as it is stored.
 */
export const pastFactsOf = (stored: PastOrder, availableAfterMs: number): Past => {
  if (!isOpen(stored))
    return { facts: [], gaps: [{ subject: stored.id, reason: 'It is paid and has no checkout' }] }
  const { refunds: _refunds, disputes: _disputes, ...last } = stored
  let order: OpenFiatOrder = {
    ...last,
    ...{ status: 'pending', completedAt: null, refundedCents: 0, chargebackCents: 0, reversedCents: 0 },
  }
  let counted = NOTHING_COUNTED
  const facts: LedgerFact[] = []
  for (const { at, settle } of changesOf(stored)) {
    const settlement = settle(order, counted)
    if (settlement === null) continue
    for (const step of settlement.steps) facts.push(...ledgerFactsOf(step, { availableAfterMs, now: at }))
    counted = { ...counted, refundIds: refundIdsAfter(counted, settlement) }
    order = settlement.order
  }
  const isSame = order.status === stored.status && order.refundedCents === stored.refundedCents
  const reason = `Its rows make it ${order.status} with ${order.refundedCents} refunded, but it is ${stored.status} with ${stored.refundedCents}`
  return { facts, gaps: isSame ? [] : [{ subject: stored.id, reason }] }
}

/** Card orders, whose money moved before there was a ledger. */
export const pastCardOrders = (availableAfterMs: number): PastSource => ({
  name: 'card-orders',
  async readPage(db, page): Promise<PastPage> {
    const orders = await listPaidOrders(db, page)
    const made = orders.map((order) => pastFactsOf(order, availableAfterMs))
    return {
      facts: made.flatMap(({ facts }) => facts),
      gaps: made.flatMap(({ gaps }) => gaps),
      last: orders.length < page.limit ? null : (orders.at(-1)?.id ?? null),
    }
  },
})
