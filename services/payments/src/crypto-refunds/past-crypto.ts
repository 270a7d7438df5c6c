import { readLedgerFact, type LedgerFact } from '@causeway/contracts'
import { readSplit } from '../crypto-orders/split.ts'
import { pastMovesOf } from '../deposits/past-moves.ts'
import type { Gap, PastSource } from '../past-facts/past-facts.ts'
import { refundFact } from './ledger-facts.ts'
import { listOrdersWithMoves, type PastOrder } from './past-crypto-store.ts'
import { listSentRefunds } from './signed-refund-store.ts'

/** The refund of an order by a version that recorded nothing but its time: of the late money that it ended. */
const recordedRefund = ({ id, network, asset, partnerCustomerId, ...order }: PastOrder): LedgerFact[] => {
  const { refundedAt, hasRefund, sentBack: amount } = order
  if (refundedAt === null || hasRefund || amount === null) return []
  const refund = { id, network, asset, amount, sentAmount: null, networkFee: null }
  return [refundFact(refund, { orderId: id, partnerCustomerId, kind: null }, refundedAt)]
}

const gapsOf = (
  { id, refundedAt, hasRefund, sentBack }: PastOrder,
  contradicted: readonly string[],
): Gap[] => [
  ...contradicted.map((subject) => ({ subject, reason: 'Its recorded moves do not make its present split' })),
  ...(refundedAt !== null && !hasRefund && sentBack === null
    ? [{ subject: id, reason: 'It was refunded, and no row tells what was sent back' }]
    : []),
]

/** Crypto orders: what their deposits were split into, and what was sent back before refunds had rows. */
export const pastCryptoOrders: PastSource = {
  name: 'crypto-orders',
  async readPage(db, page) {
    const orders = await listOrdersWithMoves(db, page)
    const facts: LedgerFact[] = []
    const gaps: Gap[] = []
    for (const order of orders) {
      const deposits = order.deposits.map((deposit) => ({
        ...deposit,
        split: readSplit(deposit.asset, deposit),
      }))
      const moves = order.moves.map(readLedgerFact).filter((fact) => fact.kind === 'deposit_moved')
      const moved = pastMovesOf(order, deposits, moves)
      facts.push(...moved.facts, ...recordedRefund(order))
      gaps.push(...gapsOf(order, moved.contradicted))
    }
    return { facts, gaps, last: orders.length < page.limit ? null : (orders.at(-1)?.id ?? null) }
  },
}

/** Refunds that were sent, by the signer or by hand. */
export const pastCryptoRefunds: PastSource = {
  name: 'crypto-refunds',
  async readPage(db, page) {
    const refunds = await listSentRefunds(db, page)
    const facts = refunds.map(({ orderId, partnerCustomerId, kind, ...refund }) =>
      refundFact(refund, { orderId, partnerCustomerId, kind }, refund.updatedAt),
    )
    return { facts, gaps: [], last: refunds.length < page.limit ? null : (refunds.at(-1)?.id ?? null) }
  },
}
