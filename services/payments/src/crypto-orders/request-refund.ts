import {
  newIdAt,
  refuse,
  reply,
  withBefore,
  type OperationRequest,
  type ServiceContext,
  type Transaction,
} from '@causeway/chassis'
import type { cryptoOrders, OrderRefund } from '@causeway/contracts'
import { ASK_AGAIN_MS, type AskSigner } from './ask-signer.ts'
import { presentOrder, type OrderLinks, type OrderRecord } from './order.ts'
import { refuseRecipient } from './refund.ts'
import { presentRefund, type SignedRefund } from './signed-refund.ts'
import { findOrderWithRefund, findRefund, insertRefund } from './signed-refund-store.ts'
import { lockOrderForRefund } from './store.ts'

type Request = OperationRequest<(typeof cryptoOrders)['refund']>
type Refusals = (typeof cryptoOrders)['refund']['refusals'][number]

/** The codes of the signer that staff are answered with; whatever else it refuses for is no refund of theirs. */
const PASSED_ON: readonly Refusals[] = ['not_refundable', 'nothing_to_refund', 'amount_exceeds_remaining']

type Shown = OrderRecord & Readonly<{ refundAddress: string | null; refundedAt: Date | null }>

const present = (order: Shown, refund: SignedRefund | null, links: OrderLinks): OrderRefund => ({
  order: presentOrder(order, links),
  to_address: refund?.toAddress ?? order.refundAddress ?? '',
  refunded_at: order.refundedAt?.toISOString() ?? null,
  ...(refund !== null && { refund: presentRefund(refund) }),
})

/** Reads the refund of an order, whoever sent it. */
export const createRefundReading =
  ({ db }: Pick<ServiceContext, 'db'>, links: OrderLinks) =>
  async ({ params }: Pick<Request, 'params'>) => {
    const found = await findOrderWithRefund(db, params)
    if (found === null) return refuse('resource_not_found')
    const { refund, ...order } = found
    if (refund === null && order.refundedAt === null) return refuse('resource_not_found')
    return reply(present(order, refund, links))
  }

type Begun = Readonly<{ order: Shown; refund: SignedRefund; isNew: boolean }>

/** Records that a refund is asked for, or finds the one that is: before the signer is asked. */
const begin = async (tx: Transaction, { params, body, now }: Request, links: OrderLinks) => {
  const toAddress = body.to_address
  const order = await lockOrderForRefund(tx, params)
  if (!order) return refuse('resource_not_found')
  const refusal = refuseRecipient(order, toAddress, links)
  if (refusal !== null) return refusal
  const known = await findRefund(tx, params)
  const isUnderWay = known !== null && known.status !== 'failed'
  if (isUnderWay && known.toAddress === toAddress) {
    const begun: Begun = { order, refund: known, isNew: false }
    return reply(begun)
  }
  if (isUnderWay || order.status !== 'cancelled')
    return refuse('invalid_state', [{ from: order.status, to: 'refunded', refund_id: known?.id }])
  if (Number(order.received) === 0) return refuse('nothing_to_refund', [{ received: order.received }])
  const id = newIdAt('refund', now.getTime())
  const dueAt = new Date(now.getTime() + ASK_AGAIN_MS)
  await insertRefund(tx, { id, orderId: order.id, toAddress, amount: order.received, now, dueAt })
  const refund = await findRefund(tx, params)
  if (refund === null) throw new Error(`Refund ${id} was inserted and cannot be found`)
  const begun: Begun = { order, refund, isNew: true }
  return reply(begun)
}

/**
 * Has the signer pay back what a cancelled order has received (decisions §20). The order stays `cancelled` until the
 * chain has confirmed it. A repeated call with the same address answers how far it is; with another address it is
 * refused while the first may still be paid.
 */
export const createRefundRequest =
  (
    { db }: Pick<ServiceContext, 'db'>,
    { links, askSigner }: Readonly<{ links: OrderLinks; askSigner: AskSigner }>,
  ) =>
  async (request: Request) => {
    const begun = await db.transaction((tx) => begin(tx, request, links))
    if (!begun.ok) return begun
    const { order, refund, isNew } = begun.value
    if (!isNew) {
      const shown = present(order, refund, links)
      return withBefore(reply(shown), shown)
    }
    const asked = await askSigner(refund)
    if (asked.refusal !== null) {
      const { code, details } = asked.refusal
      return refuse(PASSED_ON.find((each) => each === code) ?? 'not_refundable', details)
    }
    return withBefore(reply(present(order, asked.refund, links)), { order: presentOrder(order, links) })
  }
