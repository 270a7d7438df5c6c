import type { CryptoOrderStatus, PayableOrder } from '@causeway/contracts'
import type { Tone } from '../design/index.ts'

/** How a state reads: a word for the tag, what happened, and what to do now. */
export type StateText = Readonly<{ tone: Tone; tag: string; title: string; advice: string }>

/** States in which the buyer may still send something. */
export const isOpen = (status: CryptoOrderStatus): boolean => status === 'pending' || status === 'underpaid'

/** States after which nothing happens any more that a buyer waits for: the stream ends. */
export const isFinal = (status: CryptoOrderStatus): boolean => status === 'paid' || status === 'refunded'

const waiting = ({ unconfirmed, asset, network }: PayableOrder): StateText => ({
  tone: 'neutral',
  tag: 'Confirming',
  title: 'We see your payment',
  advice: `${unconfirmed} ${asset} is on its way. Nothing is left for you to do: it counts as soon as the ${network} network has confirmed it, and this page says so.`,
})

const pending = ({ due, asset, network }: PayableOrder): StateText => ({
  tone: 'neutral',
  tag: 'Waiting for payment',
  title: 'Waiting for your payment',
  advice: `Send exactly ${due} ${asset} on the ${network} network to the address below. Your wallet adds the network’s fee.`,
})

const underpaid = ({ received, due, asset, network }: PayableOrder): StateText => ({
  tone: 'warning',
  tag: 'Part of it is missing',
  title: `${due} ${asset} is still due`,
  advice: `${received} ${asset} has arrived. Send the missing ${due} ${asset} on the ${network} network to the same address.`,
})

const reverted = ({ reverted: amount, due, asset, network }: PayableOrder): StateText => ({
  tone: 'warning',
  tag: 'Taken back',
  title: 'A payment was taken back',
  advice: `The ${network} network no longer confirms ${amount} ${asset} that had arrived. Look into your wallet: if the payment is still there, wait, it may arrive again. If it is gone, ${due} ${asset} is still due.`,
})

const ENDED: Readonly<Record<Exclude<CryptoOrderStatus, 'pending' | 'underpaid'>, StateText>> = {
  paid: {
    tone: 'good',
    tag: 'Paid',
    title: 'Your payment has arrived',
    advice: 'Thank you. There is nothing more to do: you may close this page.',
  },
  expired: {
    tone: 'bad',
    tag: 'Expired',
    title: 'The time to pay is over',
    advice:
      'Do not send anything now: the price is no longer held. If you have sent the whole amount already, it counts when it arrives, and this page says so. Otherwise ask the seller for a new payment.',
  },
  cancelled: {
    tone: 'bad',
    tag: 'Cancelled',
    title: 'This payment was cancelled',
    advice:
      'Do not send anything to this address. If you have sent something already, ask the seller to send it back.',
  },
  refunded: {
    tone: 'neutral',
    tag: 'Refunded',
    title: 'Your payment was sent back',
    advice: 'What had arrived was sent back. Ask the seller if you do not find it in your wallet.',
  },
}

/** What a buyer reads of an order's state. */
export const stateText = (order: PayableOrder): StateText => {
  if (order.status !== 'pending' && order.status !== 'underpaid') return ENDED[order.status]
  if (order.unconfirmed !== '0') return waiting(order)
  if (order.reverted !== '0') return reverted(order)
  return order.status === 'pending' ? pending(order) : underpaid(order)
}
