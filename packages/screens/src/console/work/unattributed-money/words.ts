import type { UnattributedMoney, UnattributedMoneyKind, UnattributedMoneyStatus } from '@causeway/contracts'
import { fiatOfMinorUnits, html, taggedStatus, type Html, type Tone } from '../../../design/index.ts'
import { cardOrderPath, cryptoOrderPath } from '../paths.ts'
import { cryptoAmount, idLink } from '../words.ts'

/** The amount in major units, with its unit: minor units of a currency, or a decimal text of an asset on a network. */
export const amountOf = ({ unit, amount }: Pick<UnattributedMoney, 'unit' | 'amount'>): string => {
  if (typeof amount === 'number') return fiatOfMinorUnits(amount, unit)
  const [network = unit, asset = network] = unit.split('/')
  return cryptoAmount(amount, asset, network)
}

/** Why an amount counts for no order, in a few words. */
export const KIND_WORDS: Readonly<Record<UnattributedMoneyKind, string>> = {
  excess: 'More than was due',
  second: 'Second payment of an order',
  late: 'After the end of its order',
  foreign: 'Another asset than the order’s',
  unknown: 'Names no order',
  card_after_end: 'Card payment after the end of its order',
  card_mismatch: 'Card payment of another amount',
}

const STATUS_WORDS: Readonly<Record<UnattributedMoneyStatus, readonly [tone: Tone, text: string]>> = {
  open: ['warning', 'To decide'],
  refunding: ['warning', 'Is being sent back'],
  ended: ['neutral', 'Ended'],
}
export const moneyTag = (status: UnattributedMoneyStatus): Html => taggedStatus(STATUS_WORDS, status)

/** How an amount left the list. */
export const END_WORDS: Readonly<Record<NonNullable<UnattributedMoney['ended_by']>, string>> = {
  refund: 'Sent back',
  applied: 'Applied to its order, with the merchant’s consent',
  kept: 'Kept',
  handled: 'Handled by hand',
  counted: 'Counts for its order after all',
  reverted: 'Taken back by the chain',
}

/** The way to its order of either kind; null where it has none. */
export const orderLink = ({
  order_id: orderId,
  order_key: orderKey,
}: Pick<UnattributedMoney, 'order_id' | 'order_key'>): Html | null => {
  if (orderId !== null) return idLink(cryptoOrderPath(orderId), orderId)
  return orderKey === null ? null : html`card order ${idLink(cardOrderPath(orderKey), orderKey)}`
}
