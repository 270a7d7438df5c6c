import type { UnattributedMoney, UnattributedMoneyKind, UnattributedMoneyStatus } from '@causeway/contracts'
import { amountInUnit, html, taggedStatus, type Html, type Tone } from '../../../design/index.ts'
import { cardOrderPath, cryptoOrderPath } from '../paths.ts'
import { idLink } from '../words.ts'

/** Formats an amount with its unit. */
export const amountOf = ({ unit, amount }: Pick<UnattributedMoney, 'unit' | 'amount'>): string =>
  amountInUnit(amount, unit)

/** Short reasons why an amount counts for no order. */
export const KIND_WORDS: Readonly<Record<UnattributedMoneyKind, string>> = {
  excess: 'Overpayment',
  second: 'Second payment for an order',
  late: 'Arrived after its order was closed',
  foreign: 'Different asset from the order’s',
  unknown: 'No matching order',
  card_after_end: 'Card payment after its order was closed',
  card_mismatch: 'Card payment with a different amount',
}

const STATUS_WORDS: Readonly<Record<UnattributedMoneyStatus, readonly [tone: Tone, text: string]>> = {
  open: ['warning', 'To decide'],
  refunding: ['warning', 'Refund in progress'],
  ended: ['neutral', 'Closed'],
}
export const moneyTag = (status: UnattributedMoneyStatus): Html => taggedStatus(STATUS_WORDS, status)

/** Resolutions of an amount. */
export const END_WORDS: Readonly<Record<NonNullable<UnattributedMoney['ended_by']>, string>> = {
  refund: 'Refunded',
  applied: 'Applied to its order, with the merchant’s consent',
  kept: 'Kept',
  handled: 'Handled manually',
  counted: 'Counted for its order',
  reverted: 'Reverted by the chain',
}

/** Links to the crypto or card order of an amount; null if it has none. */
export const orderLink = ({
  order_id: orderId,
  order_key: orderKey,
}: Pick<UnattributedMoney, 'order_id' | 'order_key'>): Html | null => {
  if (orderId !== null) return idLink(cryptoOrderPath(orderId), orderId)
  return orderKey === null ? null : html`card order ${idLink(cardOrderPath(orderKey), orderKey)}`
}
