import {
  newIdAt,
  refuse,
  reply,
  type OperationRequest,
  type ServiceContext,
  type Transaction,
} from '@causeway/chassis'
import type { cryptoOrders, OrderRefund } from '@causeway/contracts'
import type { Signer } from '../clients/signer.ts'
import { orderEvent } from '../crypto-orders/events.ts'
import { presentOrder, type OrderLinks } from '../crypto-orders/order.ts'
import { restateReceived } from '../deposits/restate-received.ts'
import { emitRefundFact } from './ledger-facts.ts'
import type { HandCheck } from './hand-check.ts'
import type { OwnAddresses } from './recipients.ts'
import { createRefunding, planRefund, type Judged } from './refunding.ts'
import { chooseParts, type RefundSource } from './refund-source.ts'
import { endMoney, lockOpenMoney, reserveMoney } from './refunded-money-store.ts'
import { presentRefund, type SignedRefund } from './signed-refund.ts'
import { findOrderWithRefund, findRefund } from './signed-refund-store.ts'
import { lockOrderForRefund, recordOrderRefund, type RefundableOrder } from '../crypto-orders/store.ts'

type Request = OperationRequest<(typeof cryptoOrders)['refund']>

/** Presents the refund of an order: sent by the signer, sent and recorded by staff, or recorded by an older version. */
const present = (order: RefundableOrder, refund: SignedRefund | null, links: OrderLinks): OrderRefund => ({
  order: presentOrder(order, links),
  to_address: refund?.toAddress ?? order.refundAddress ?? '',
  refunded_at: order.refundedAt?.toISOString() ?? null,
  ...(refund?.sentByHand === false && { refund: presentRefund(refund) }),
  ...(refund?.sentByHand === true && { tx_id: refund.txId, tx_block: refund.txBlock }),
})

/** Marks an order as `refunded` and emits its event, in the transaction that records that its money was sent back. */
export const completeOrder = async (
  tx: Transaction,
  { orderId, toAddress }: Readonly<{ orderId: string; toAddress: string }>,
  links: OrderLinks,
  now: Date,
): Promise<RefundableOrder> => {
  const found = await lockOrderForRefund(tx, { orderId })
  if (found === null) throw new Error(`Order ${orderId} of a refund does not exist`)
  const { partnerSees, refundAddress: _none, refundedAt: _never, ...order } = found
  const refunded = { ...order, status: 'refunded' as const }
  await recordOrderRefund(tx, { orderId, partnerId: order.partnerId, toAddress, now })
  tx.emit(
    orderEvent({
      eventId: newIdAt('event', now.getTime()),
      type: 'payment.refunded',
      order: refunded,
      deposit: null,
      partnerSees,
      now,
      links,
    }),
  )
  return { ...refunded, partnerSees, refundAddress: toAddress, refundedAt: now }
}

/** Maximum number of parts to choose from, the largest first; a chain's transaction spends fewer. */
const MAX_PARTS = 500

/** Returns the refundable amounts of an order, in its asset. */
const sourceOf = async (tx: Transaction, order: RefundableOrder): Promise<RefundSource | null> => {
  const { network, asset } = order
  const open = await lockOpenMoney(tx, {
    orderId: order.id,
    unit: `${network}/${asset}`,
    limit: MAX_PARTS,
  })
  const { amount, parts } = chooseParts(network, asset, open)
  if (parts.length === 0) return null
  return {
    orderId: order.id,
    unattributedMoneyId: null,
    network,
    asset,
    keyIndex: order.derivationIndex,
    fromAddress: order.watchAddress,
    amount,
    coins: parts.map(({ txId, outputIndex }) => ({ txId, outputIndex })),
    moneyIds: parts.map(({ id }) => id),
  }
}

/** Returns the received amount of a cancelled order, or its refund. */
const judgeOrder = async (tx: Transaction, { params }: Pick<Request, 'params'>) => {
  const order = await lockOrderForRefund(tx, params)
  if (order === null) return refuse('resource_not_found')
  const { status } = order
  const known = await findRefund(tx, params)
  if (known !== null && known.status !== 'failed') {
    const judged: Judged<RefundableOrder> = { subject: order, status, known, source: null }
    return reply(judged)
  }
  if (status !== 'cancelled') return refuse('invalid_state', [{ from: status, to: 'refunded' }])
  const source = await sourceOf(tx, order)
  if (source === null) return refuse('nothing_to_refund', [{ received: order.received }])
  const judged: Judged<RefundableOrder> = { subject: order, status, known: null, source }
  return reply(judged)
}

type Options = Readonly<{
  links: OrderLinks
  own: OwnAddresses
  signer: Signer | null
  checkHandSent: HandCheck
}>

/** Sends back what a cancelled order has received, or records that staff have (decisions §20, §31). */
export const createOrderRefund = (
  { db }: Pick<ServiceContext, 'db'>,
  { links, own, signer, checkHandSent }: Options,
) =>
  createRefunding<RefundableOrder, OrderRefund, Request>(
    db,
    {
      ...{ signer, own, checkHandSent },
      present: (order, refund) => present(order, refund, links),
      presentBefore: (order) => ({ order: presentOrder(order, links) }),
      async onRecorded(tx, order, refund, now, { moneyIds: ids }) {
        await reserveMoney(tx, { ids, refundId: refund.id })
        if (!refund.sentByHand) return order
        await endMoney(tx, { refundId: refund.id, txId: refund.txId, now })
        const completed = await completeOrder(
          tx,
          { orderId: order.id, toAddress: refund.toAddress },
          links,
          now,
        )
        await restateReceived(tx, order.id, now)
        await emitRefundFact(tx, refund, now)
        return completed
      },
    },
    judgeOrder,
  )

/** Creates the plan of an order's refund. */
export const createOrderRefundPlan =
  ({ db }: Pick<ServiceContext, 'db'>, options: Pick<Options, 'own' | 'signer'>) =>
  async ({ params, query }: OperationRequest<(typeof cryptoOrders)['getRefundPlan']>) => {
    const judged = await db.transaction((tx) => judgeOrder(tx, { params }))
    if (!judged.ok) return judged
    const { source, status, known } = judged.value
    if (source === null)
      return refuse('invalid_state', [{ from: status, to: 'refunded', refund_id: known.id }])
    return planRefund(db, options, source, query.to_address)
  }

/** Reads the refund of an order, sent by the signer or by hand. */
export const createRefundReading =
  ({ db }: Pick<ServiceContext, 'db'>, links: OrderLinks) =>
  async ({ params }: Pick<Request, 'params'>) => {
    const found = await findOrderWithRefund(db, params)
    if (found === null) return refuse('resource_not_found')
    const { refund, ...order } = found
    if (refund === null && order.refundedAt === null) return refuse('resource_not_found')
    return reply(present(order, refund, links))
  }
