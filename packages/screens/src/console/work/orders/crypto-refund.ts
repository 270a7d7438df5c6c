import {
  cryptoOrders,
  type CryptoOrderFile,
  type CryptoRefundStatus,
  type OrderRefund,
} from '@causeway/contracts'
import {
  definitionList,
  html,
  notice,
  taggedStatus,
  time,
  type Html,
  type Moment,
  type Tone,
} from '../../../design/index.ts'
import type { StaffRequest } from '../../frame.ts'
import { wordsOf } from '../words.ts'

const STATUS_WORDS: Readonly<Record<CryptoRefundStatus, readonly [tone: Tone, text: string]>> = {
  requested: ['warning', 'Requested'],
  signed: ['warning', 'Signed'],
  broadcast: ['warning', 'Sent, waits for the chain'],
  confirmed: ['good', 'Confirmed'],
  failed: ['bad', 'Failed: nothing was paid'],
}

/** The refund of an order: null where there is none, `unread` where it cannot be read now. */
export type ShownRefund = OrderRefund | 'unread' | null

/** Reads the refund of an order that may have one. */
export const readRefund = async ({ ask }: StaffRequest, order: CryptoOrderFile): Promise<ShownRefund> => {
  if (order.status !== 'cancelled' && order.status !== 'refunded') return null
  const reply = await ask(cryptoOrders.getRefund, { params: { orderId: order.id } })
  if (reply.ok) return reply.value
  return reply.code === 'resource_not_found' ? null : 'unread'
}

/** Whether staff may ask for one: there is none, or it has failed. */
export const isRefundable = (order: CryptoOrderFile, shown: ShownRefund): boolean =>
  order.status === 'cancelled' && shown !== 'unread' && (shown === null || shown.refund?.status === 'failed')

/** How far the refund is: with a signer each step of it, otherwise what staff have recorded. */
export const refundPart = ({ asset, network }: CryptoOrderFile, shown: ShownRefund): Html => {
  if (shown === null) return html``
  if (shown === 'unread')
    return notice('warning', 'The refund cannot be read now.', 'Load the page again in a moment.')
  const { refund, to_address: toAddress, refunded_at: refundedAt, tx_id: txId = null } = shown
  return html`<h2>Refund</h2>
    ${definitionList([
      { term: 'To the address', value: html`<code>${toAddress}</code>` },
      ...(refund === undefined
        ? []
        : [
            { term: 'Status', value: taggedStatus(STATUS_WORDS, refund.status) },
            { term: 'Amount', value: `${refund.amount} ${asset}` },
            {
              term: 'Fee of the network',
              value: refund.network_fee === null ? 'Not known yet' : `${refund.network_fee} ${network}`,
            },
            {
              term: 'Transaction',
              value: refund.tx_id === null ? 'None yet' : html`<code>${refund.tx_id}</code>`,
            },
            ...(refund.failure === null ? [] : [{ term: 'Reason', value: wordsOf(refund.failure) }]),
          ]),
      ...(txId === null ? [] : [{ term: 'Transaction', value: html`<code>${txId}</code>` }]),
      ...(refundedAt === null ? [] : [{ term: 'Refunded', value: time(refundedAt) }]),
    ])}`
}

export const refundMoments = (shown: ShownRefund): Moment[] =>
  shown === null || shown === 'unread' || shown.refunded_at === null
    ? []
    : [{ at: shown.refunded_at, title: 'Refunded' }]
