import type { CryptoOrderStatus, PayableOrder } from '@causeway/contracts'
import type { Tone } from '../design/index.ts'
import type { Language } from '../languages/language.ts'
import { NETWORK_NAMES, withAsset } from './amounts.ts'
import { failureOf, stageOf, type Offer } from './purchase.ts'

/** Texts of a state: the tag, what happened, and what to do now. */
export type StateText = Readonly<{ tone: Tone; tag: string; title: string; advice: string }>

/** States in which the buyer may still send something. */
export const isOpen = (status: CryptoOrderStatus): boolean => status === 'pending' || status === 'underpaid'

/** States in which the buyer waits for nothing; the stream ends. */
export const isFinal = (status: CryptoOrderStatus): boolean => status === 'paid' || status === 'refunded'

type Texts = (order: PayableOrder, language: Language) => StateText

const confirmingPart: Texts = (order, { text, decimal }) => {
  const unconfirmed = withAsset(order.unconfirmed, order, decimal)
  const missing = withAsset(order.toSend, order, decimal)
  const network = NETWORK_NAMES[order.network]
  return {
    tone: 'warning',
    tag: text('pay.tag.confirmingPart'),
    title: text('pay.confirmingPart', { missing }),
    advice: text('pay.confirmingPart.advice', { unconfirmed, missing, network }),
  }
}

const confirming: Texts = (order, { text, decimal }) => ({
  tone: 'neutral',
  tag: text('pay.tag.confirming'),
  title: text('pay.confirming'),
  advice: text('pay.confirming.advice', {
    unconfirmed: withAsset(order.unconfirmed, order, decimal),
    network: NETWORK_NAMES[order.network],
  }),
})

const pending: Texts = (order, { text, decimal }) => ({
  tone: 'neutral',
  tag: text('pay.tag.pending'),
  title: text('pay.pending'),
  advice: text('pay.pending.advice', {
    due: withAsset(order.due, order, decimal),
    network: NETWORK_NAMES[order.network],
  }),
})

const underpaid: Texts = (order, { text, decimal }) => {
  const due = withAsset(order.due, order, decimal)
  const received = withAsset(order.received, order, decimal)
  return {
    tone: 'warning',
    tag: text('pay.tag.underpaid'),
    title: text('pay.underpaid', { due }),
    advice: text('pay.underpaid.advice', { received, due, network: NETWORK_NAMES[order.network] }),
  }
}

const reverted: Texts = (order, { text, decimal }) => ({
  tone: 'warning',
  tag: text('pay.tag.reverted'),
  title: text('pay.reverted'),
  advice: text('pay.reverted.advice', {
    reverted: withAsset(order.reverted, order, decimal),
    due: withAsset(order.due, order, decimal),
    network: NETWORK_NAMES[order.network],
  }),
})

const bought: Texts = (order, { text, decimal }) => ({
  tone: 'neutral',
  tag: text('pay.tag.purchase'),
  title: text('pay.bought'),
  advice: text('pay.bought.advice', { due: withAsset(order.due, order, decimal) }),
})

const verifying: Texts = (order, { text, decimal }) => ({
  tone: 'warning',
  tag: text('pay.tag.purchase'),
  title: text('pay.verifying'),
  advice: text('pay.verifying.advice', { due: withAsset(order.due, order, decimal) }),
})

/** Texts of an order that more has arrived for than was due. */
const overpaid: Texts = (order, { text, decimal }) => {
  const excess = withAsset(order.excess, order, decimal)
  return {
    tone: 'good',
    tag: text('pay.tag.paid'),
    title: text('pay.overpaid', { excess }),
    advice: text('pay.overpaid.advice', { excess }),
  }
}

type Ended = Exclude<CryptoOrderStatus, 'pending' | 'underpaid'>

/** Texts of an order that ended without being paid, although something arrived. */
const endedWithMoney = (
  order: PayableOrder,
  status: 'cancelled' | 'expired',
  { text, decimal }: Language,
): StateText => {
  const received = withAsset(order.received, order, decimal)
  return {
    tone: 'bad',
    tag: text(`pay.tag.${status}`),
    title: text(`pay.${status}WithMoney`, { received }),
    advice: text('pay.withMoney.advice', { received }),
  }
}

const TONES: Readonly<Record<Ended, Tone>> = {
  paid: 'good',
  expired: 'bad',
  cancelled: 'bad',
  refunded: 'neutral',
}

const ended = (status: Ended, { text }: Language): StateText => ({
  tone: TONES[status],
  tag: text(`pay.tag.${status}`),
  title: text(`pay.${status}`),
  advice: text(`pay.${status}.advice`),
})

const endedText = (order: PayableOrder, status: Ended, offer: Offer, language: Language): StateText => {
  if (status === 'paid' && order.excess !== '0') return overpaid(order, language)
  const isUnpaid = status === 'expired' || status === 'cancelled'
  if (isUnpaid && order.received !== '0') return endedWithMoney(order, status, language)
  const text = ended(status, language)
  const failure = status === 'cancelled' ? failureOf(offer, language) : null
  return failure === null
    ? text
    : { ...text, title: failure, advice: language.text('pay.purchaseFailed.advice') }
}

/** Returns the texts that the buyer sees for an order's state, and that of its purchase at a provider. */
export const stateText = (order: PayableOrder, offer: Offer, language: Language): StateText => {
  const { status, unconfirmed, toSend } = order
  if (status !== 'pending' && status !== 'underpaid') return endedText(order, status, offer, language)
  if (unconfirmed !== '0')
    return toSend === '0' ? confirming(order, language) : confirmingPart(order, language)
  const stage = stageOf(offer)
  if (stage === 'processing') return bought(order, language)
  if (stage === 'verifying') return verifying(order, language)
  if (order.reverted !== '0') return reverted(order, language)
  return status === 'pending' ? pending(order, language) : underpaid(order, language)
}
