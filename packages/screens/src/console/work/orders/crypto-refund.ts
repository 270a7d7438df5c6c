import { cryptoOrders, type CryptoOrderFile, type OrderRefund } from '@causeway/contracts'
import { definitionList, EMPTY, html, notice, time, type Html, type Moment } from '../../../design/index.ts'
import { formWith } from '../../../form-state.ts'
import type { StaffRequest } from '../../frame.ts'
import { mayDo } from '../../roles.ts'
import { addressForm } from '../crypto-refunds/form.ts'
import { planFacts } from '../crypto-refunds/plan.ts'
import { progressFacts } from '../crypto-refunds/progress.ts'
import { refundScreens, type Refundable } from '../crypto-refunds/screens.ts'
import { readWaiting, waitingNotice } from '../crypto-refunds/waiting.ts'
import { cryptoOrderPath } from '../paths.ts'

/** The refund of an order: null without one, `unread` if it is temporarily unavailable. */
export type ShownRefund = OrderRefund | 'unread' | null

/** Reads the refund of an order that may have one. */
export const readRefund = async ({ ask }: StaffRequest, order: CryptoOrderFile): Promise<ShownRefund> => {
  if (order.status !== 'cancelled' && order.status !== 'refunded') return null
  const reply = await ask(cryptoOrders.getRefund, { params: { orderId: order.id } })
  if (reply.ok) return reply.value
  return reply.code === 'resource_not_found' ? null : 'unread'
}

const ORDER: Refundable = {
  pattern: cryptoOrderPath(':orderId'),
  pathOf: ({ params }) => cryptoOrderPath(params['orderId'] ?? ''),
  readPlan: ({ ask, params: { orderId = '' } }, toAddress) =>
    ask(cryptoOrders.getRefundPlan, {
      params: { orderId },
      query: toAddress === undefined ? {} : { to_address: toAddress },
    }),
  refund: ({ ask, params: { orderId = '' } }, body) =>
    ask(cryptoOrders.refund, { params: { orderId }, body }),
}

export const orderRefundScreens = refundScreens(ORDER)

/** True if staff may request a refund: the order has no refund, or the last one failed. */
const isRefundable = (order: CryptoOrderFile, shown: ShownRefund): boolean =>
  order.status === 'cancelled' && shown !== 'unread' && (shown === null || shown.refund?.status === 'failed')

/**
 * Renders the form that starts a refund, if there is money to refund and the user has the role; or the notice that one
 * waits for a second person.
 */
export const beginRefund = async (
  request: StaffRequest,
  order: CryptoOrderFile,
  { shown, hasFourEyes }: Readonly<{ shown: ShownRefund; hasFourEyes: boolean }>,
): Promise<Html> => {
  if (!isRefundable(order, shown)) return EMPTY
  const waiting = await readWaiting(request, order.id, hasFourEyes)
  if (waiting !== null) return waitingNotice(waiting)
  if (!mayDo(request.session, 'finance')) return EMPTY
  const reply = await ORDER.readPlan(request, undefined)
  if (!reply.ok) return EMPTY
  return html`<section class="sheet" aria-labelledby="refund">
    <h2 id="refund">Refund the order</h2>
    ${planFacts(reply.value.plan, { toAddress: null })} ${addressForm(cryptoOrderPath(order.id), formWith())}
  </section>`
}

const checkedText = (block: number | null): string =>
  block === null ? 'No: the network had no node' : `Yes, in block ${block}`

/** Renders the progress of a refund: the signer's steps, or the data that staff recorded. */
export const refundPart = (shown: ShownRefund): Html => {
  if (shown === null) return EMPTY
  if (shown === 'unread')
    return notice('warning', 'The refund is temporarily unavailable.', 'Load the page again in a moment.')
  const {
    refund,
    to_address: toAddress,
    refunded_at: refundedAt,
    tx_id: txId = null,
    tx_block: block,
  } = shown
  return html`<h2>Refund</h2>
    ${definitionList([
      { term: 'Refund address', value: html`<code>${toAddress}</code>` },
      ...(refund === undefined ? [] : progressFacts(refund)),
      ...(txId === null ? [] : [{ term: 'Transaction', value: html`<code>${txId}</code>` }]),
      ...(block === undefined ? [] : [{ term: 'Checked on the chain', value: checkedText(block) }]),
      ...(refundedAt === null ? [] : [{ term: 'Refunded', value: time(refundedAt) }]),
    ])}`
}

export const refundMoments = (shown: ShownRefund): Moment[] =>
  shown === null || shown === 'unread' || shown.refunded_at === null
    ? []
    : [{ at: shown.refunded_at, title: 'Refunded' }]
