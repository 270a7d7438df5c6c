import type {
  CryptoRefund,
  PendingAction,
  UnattributedMoney,
  UnattributedMoneyKind,
} from '@causeway/contracts'
import {
  definitionList,
  EMPTY,
  html,
  linkButton,
  notice,
  time,
  type Fact,
  type Html,
} from '../../../design/index.ts'
import { formFaults, titleOf, type FormState } from '../../../form-state.ts'
import { consolePage, type StaffSession } from '../../frame.ts'
import { historyOf, type StaffActions } from '../../history.ts'
import { namedLink, type Names } from '../../names.ts'
import { mayDo } from '../../roles.ts'
import { progressFacts } from '../crypto-refunds/progress.ts'
import { waitingNotice } from '../crypto-refunds/waiting.ts'
import { UNATTRIBUTED_MONEY_PATH } from '../paths.ts'
import { wordsOf } from '../words.ts'
import { endForms } from './ends.ts'
import { amountOf, END_WORDS, KIND_WORDS, moneyTag, orderLink } from './words.ts'

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
const story = (money: UnattributedMoney): Html =>
  html`<p>${arrival(money)} ${purpose(money)}</p>
    <p>${REASONS[money.kind]}${money.ended_by === null && ' It counts for no order.'}</p>`

type MoneyPage = Readonly<{
  session: StaffSession
  money: UnattributedMoney
  /** The signer's current or last refund of it. */
  refund: CryptoRefund | undefined
  /** The refund that waits for a second person. */
  waiting: PendingAction | null
  staffActions: StaffActions
  names: Names
  /** State of the refused form. */
  state: FormState
}>

/** Removes the facts without a value. */
const known = (facts: readonly (readonly [term: string, value: Fact['value'] | null])[]): Fact[] =>
  facts.flatMap(([term, value]) => (value === null ? [] : [{ term, value }]))

const code = (text: string | null): Html | null => (text === null ? null : html`<code>${text}</code>`)

const factsOf = ({ money, names }: MoneyPage): Html =>
  definitionList(
    known([
      ['State', moneyTag(money.status)],
      ['Amount', amountOf(money)],
      ['Kind', KIND_WORDS[money.kind]],
      // The reason that staff gave is shown with the resolution.
      ['Captured', money.status === 'ended' ? null : money.reason],
      ['Order', orderLink(money)],
      ['Reference', money.reference],
      ['Receiving address', code(money.address)],
      ['Sending address', code(money.sender)],
      ['Transaction', code(money.tx_id)],
      ['Block', money.block_number === null ? null : String(money.block_number)],
      ['Card processor', money.processor === null ? null : wordsOf(money.processor)],
      ['Processor’s order id', code(money.processor_order_id)],
      ['Customer', money.partner_customer_id && namedLink(money.partner_customer_id, names)],
      ['Partner', money.partner_id && namedLink(money.partner_id, names)],
    ]),
  )

const REASON_TERMS: Readonly<Partial<Record<NonNullable<UnattributedMoney['ended_by']>, string>>> = {
  applied: 'The merchant’s consent',
  kept: 'Reason',
  handled: 'Note',
}

const endFacts = (money: UnattributedMoney): readonly Fact[] =>
  known([
    ['Resolution', money.ended_by && END_WORDS[money.ended_by]],
    ['Closed', money.ended_at && time(money.ended_at)],
    [REASON_TERMS[money.ended_by ?? 'counted'] ?? 'Captured', money.reason],
  ])

const refundFacts = (refund: CryptoRefund): readonly Fact[] => [
  { term: 'Refund address', value: html`<code>${refund.to_address}</code>` },
  ...progressFacts(refund),
]

/** Renders the resolution, the progress of the refund, or why the last refund failed. */
const outcome = ({ money, refund }: MoneyPage): Html => {
  const { status, ended_by: endedBy, ended_tx_id: txId } = money
  if (status === 'ended') {
    const sent = endedBy === 'refund' && refund !== undefined ? refundFacts(refund) : null
    return html`<h2>Resolution</h2>
      ${definitionList([...endFacts(money), ...(sent ?? known([['Outgoing transaction', code(txId)]]))])}`
  }
  if (refund === undefined) return EMPTY
  const title = status === 'refunding' ? 'Refund in progress' : 'The last refund failed'
  return html`<h2>${title}</h2>
    ${definitionList(refundFacts(refund))}`
}

const decision = ({ session, money, waiting, state }: MoneyPage): Html => {
  if (money.status !== 'open') return EMPTY
  if (waiting !== null) return waitingNotice(waiting)
  return mayDo(session, 'finance') ? endForms({ session, money, state }) : EMPTY
}

/** Renders an amount that counts for no order: its origin, and the possible or chosen resolution. */
export const moneyPage = (shown: MoneyPage): Html => {
  const { session, money, staffActions, state } = shown
  const title = `Unattributed money: ${amountOf(money)}`
  return consolePage({
    session,
    current: '/console',
    title: titleOf(title, state),
    main: html`${formFaults(state)}
      <h1>${title}</h1>
      ${money.status === 'refunding' && notice('neutral', 'A refund is in progress.', 'If it fails, you can decide again here.')}
      ${story(money)} ${factsOf(shown)} ${outcome(shown)} ${decision(shown)}
      ${historyOf(
        money.unattributed_money_id,
        [
          { at: money.received_at, title: 'Arrived', text: amountOf(money) },
          ...(money.ended_at === null || money.ended_by === null
            ? []
            : [{ at: money.ended_at, title: END_WORDS[money.ended_by], tone: 'good' as const }]),
        ],
        staffActions,
      )}
      <p>${linkButton(UNATTRIBUTED_MONEY_PATH, 'All unattributed money', 'quiet')}</p>`,
  })
}
