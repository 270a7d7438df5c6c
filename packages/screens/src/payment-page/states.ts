import type { CryptoOrderStatus, PayableOrder } from '@causeway/contracts'
import type { Tone } from '../design/index.ts'

/** Texts of a state: the tag, what happened, and what to do now. */
export type StateText = Readonly<{ tone: Tone; tag: string; title: string; advice: string }>

/** States in which the buyer may still send something. */
export const isOpen = (status: CryptoOrderStatus): boolean => status === 'pending' || status === 'underpaid'

/** States in which the buyer waits for nothing; the stream ends. */
export const isFinal = (status: CryptoOrderStatus): boolean => status === 'paid' || status === 'refunded'

const waiting = ({ unconfirmed, asset, network }: PayableOrder): StateText => ({
  tone: 'neutral',
  tag: 'Confirming',
  title: 'We see your payment',
  advice: `${unconfirmed} ${asset} is on its way. You need to do nothing else: it counts once the ${network} network has confirmed it, and this page then updates.`,
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

const ENDED: Readonly<Record<Exclude<CryptoOrderStatus, 'pending' | 'underpaid'>, StateText>> = {
  paid: {
    tone: 'good',
    tag: 'Paid',
    title: 'Your payment has arrived',
    advice: 'Thank you. You can close this page.',
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

/** Returns the texts that the buyer sees for an order's state. */
export const stateText = (order: PayableOrder): StateText => {
  if (order.status !== 'pending' && order.status !== 'underpaid') return ENDED[order.status]
  if (order.unconfirmed !== '0') return waiting(order)
  if (order.reverted !== '0') return reverted(order)
  return order.status === 'pending' ? pending(order) : underpaid(order)
}
