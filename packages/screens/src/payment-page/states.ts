import type { CryptoOrderStatus, PayableOrder } from '@causeway/contracts'
import type { Tone } from '../design/index.ts'
import { failureOf, stageOf, type Offer } from './purchase.ts'

/** Texts of a state: the tag, what happened, and what to do now. */
export type StateText = Readonly<{ tone: Tone; tag: string; title: string; advice: string }>

/** States in which the buyer may still send something. */
export const isOpen = (status: CryptoOrderStatus): boolean => status === 'pending' || status === 'underpaid'

/** States in which the buyer waits for nothing; the stream ends. */
export const isFinal = (status: CryptoOrderStatus): boolean => status === 'paid' || status === 'refunded'

const confirmingPart = ({ unconfirmed, toSend, asset, network }: PayableOrder): StateText => ({
  tone: 'warning',
  tag: 'Confirming a part',
  title: `We see a part of your payment; ${toSend} ${asset} is missing`,
  advice: `${unconfirmed} ${asset} is on its way and counts once the ${network} network has confirmed it. Send the missing ${toSend} ${asset} to the same address.`,
})

const confirming = ({ unconfirmed, asset, network }: PayableOrder): StateText => ({
  tone: 'neutral',
  tag: 'Confirming',
  title: 'We see your payment',
  advice: `${unconfirmed} ${asset} is on its way. Do not send anything else: it counts once the ${network} network has confirmed it, and this page then updates.`,
})

const pending = ({ due, asset, network }: PayableOrder): StateText => ({
  tone: 'neutral',
  tag: 'Waiting for payment',
  title: 'Waiting for your payment',
  advice: `Send exactly ${due} ${asset} on the ${network} network to the address below. Your wallet adds the network’s fee.`,
})

const underpaid = ({ received, due, asset, network }: PayableOrder): StateText => ({
  tone: 'warning',
  tag: 'Underpaid',
  title: `${due} ${asset} is still due`,
  advice: `${received} ${asset} has arrived. Send the missing ${due} ${asset} on the ${network} network to the same address.`,
})

const reverted = ({ reverted: amount, due, asset, network }: PayableOrder): StateText => ({
  tone: 'warning',
  tag: 'Reverted',
  title: 'A payment was reverted',
  advice: `The ${network} network no longer confirms ${amount} ${asset} that had arrived. Check your wallet. If it still shows the payment, wait: it may arrive again. If it does not, ${due} ${asset} is still due.`,
})

const bought = ({ due, asset }: PayableOrder): StateText => ({
  tone: 'neutral',
  tag: 'Purchase in progress',
  title: 'The provider has received your payment',
  advice: `It sends ${due} ${asset} to this payment. Do not send anything else: this page updates when it arrives.`,
})

const verifying = ({ due, asset }: PayableOrder): StateText => ({
  tone: 'warning',
  tag: 'Purchase in progress',
  title: 'The provider needs to verify you',
  advice: `It has received your payment and sends ${due} ${asset} once it has verified you. Continue your purchase there, and do not send anything else.`,
})

/** Text of an order that more has arrived for than was due. */
const overpaid = ({ excess, asset }: PayableOrder): StateText => ({
  ...ENDED.paid,
  title: `Your payment has arrived, with ${excess} ${asset} too much`,
  advice: `The surplus of ${excess} ${asset} is recorded with this payment. Ask the seller to send it back.`,
})

/** Text of an order that ended without being paid, although something arrived. */
const endedWithMoney = (order: PayableOrder): StateText => {
  const { status, received, asset } = order
  const ended = status === 'cancelled' ? 'was cancelled' : 'has expired'
  return {
    tone: 'bad',
    tag: status === 'cancelled' ? ENDED.cancelled.tag : ENDED.expired.tag,
    title: `This payment ${ended}, and ${received} ${asset} has arrived`,
    advice: `The ${received} ${asset} is recorded with this payment and has not paid for anything. Do not send more. Ask the seller to send it back or to accept it.`,
  }
}

const ENDED: Readonly<Record<Exclude<CryptoOrderStatus, 'pending' | 'underpaid'>, StateText>> = {
  paid: {
    tone: 'good',
    tag: 'Paid',
    title: 'Your payment has arrived',
    advice: 'Thank you. This page is your receipt: print it, or save it.',
  },
  expired: {
    tone: 'bad',
    tag: 'Expired',
    title: 'The time to pay has expired',
    advice:
      'Do not send anything now: the price is no longer guaranteed. If you have already sent the full amount, it counts when it arrives, and this page then updates. Otherwise ask the seller for a new payment.',
  },
  cancelled: {
    tone: 'bad',
    tag: 'Cancelled',
    title: 'This payment was cancelled',
    advice:
      'Do not send anything to this address. If you have already sent something, ask the seller for a refund.',
  },
  refunded: {
    tone: 'neutral',
    tag: 'Refunded',
    title: 'Your payment was refunded',
    advice: 'The amount that arrived was sent back. If it is not in your wallet, ask the seller.',
  },
}

/** Text of an order that was cancelled because its purchase failed. */
const purchaseFailed = (failure: string): StateText => ({
  ...ENDED.cancelled,
  title: failure,
  advice:
    'Nothing was sent for this payment, and it was cancelled. If the provider charged you, ask it for your money. To pay, ask the seller for a new payment.',
})

const endedText = (order: PayableOrder, status: keyof typeof ENDED, offer: Offer): StateText => {
  if (status === 'paid' && order.excess !== '0') return overpaid(order)
  const isUnpaid = status === 'expired' || status === 'cancelled'
  if (isUnpaid && order.received !== '0') return endedWithMoney(order)
  const failure = failureOf(offer)
  return status === 'cancelled' && failure !== null ? purchaseFailed(failure) : ENDED[status]
}

/** Returns the texts that the buyer sees for an order's state, and that of its purchase at a provider. */
export const stateText = (order: PayableOrder, offer: Offer): StateText => {
  const { status, unconfirmed, toSend } = order
  if (status !== 'pending' && status !== 'underpaid') return endedText(order, status, offer)
  if (unconfirmed !== '0') return toSend === '0' ? confirming(order) : confirmingPart(order)
  const stage = stageOf(offer)
  if (stage === 'processing') return bought(order)
  if (stage === 'verifying') return verifying(order)
  if (order.reverted !== '0') return reverted(order)
  return status === 'pending' ? pending(order) : underpaid(order)
}
