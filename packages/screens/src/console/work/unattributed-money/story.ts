import type { UnattributedMoney, UnattributedMoneyKind } from '@causeway/contracts'
import { html, time, type Html } from '../../../design/index.ts'
import { wordsOf } from '../words.ts'
import { amountOf, orderLink } from './words.ts'

const REASONS: Readonly<Record<UnattributedMoneyKind, string>> = {
  excess: 'It is the part of a payment that exceeded the amount due.',
  second: 'The order was already paid when it arrived.',
  late: 'The order was already closed when it arrived.',
  foreign: 'The order requires a different asset.',
  unknown: 'The payer’s reference matches no order of the platform.',
  card_after_end: 'The card payment was completed after the order was closed.',
  card_mismatch: 'The card payment’s amount or currency differs from the order’s.',
}

const arrival = (money: UnattributedMoney): Html => {
  const amount = html`<strong>${amountOf(money)}</strong>`
  const at = time(money.received_at)
  if (money.processor !== null)
    return html`${amount} ${money.kind === 'excess' ? 'more than was due' : ''} came with a payment at the
    card processor ${wordsOf(money.processor)}, on ${at}.`
  return html`${amount} arrived on ${at}${money.address === null ? '' : ', at the address below'}.`
}

const purpose = (money: UnattributedMoney): Html => {
  const order = orderLink(money)
  if (order === null) return html`It belongs to no order.`
  const { order_status: status, reference } = money
  const named = html`${order}${reference !== null && ` (${reference})`}`
  const present = status !== null && html` That order is now ${wordsOf(status).toLowerCase()}.`
  return money.kind === 'unknown'
    ? html`It was applied to the order ${named}.${present}`
    : html`It came for the order ${named}.${present}`
}

/** Describes an amount: where it arrived, for which order, and why it counts for none. */
export const story = (money: UnattributedMoney): Html =>
  html`<p>${arrival(money)} ${purpose(money)}</p>
    <p>${REASONS[money.kind]}${money.ended_by === null && ' It counts for no order.'}</p>`
