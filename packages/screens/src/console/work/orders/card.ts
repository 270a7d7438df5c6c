import {
  chargebacks,
  fiatOrders,
  refunds,
  type Chargeback,
  type FiatOrderOfPartner,
  type Refund,
} from '@causeway/contracts'
import {
  definitionList,
  fiatOfMinorUnits,
  html,
  notice,
  type Html,
  type Moment,
} from '../../../design/index.ts'
import { formWith } from '../../../form-state.ts'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { consolePage, type StaffRequest } from '../../frame.ts'
import { pageOf } from '../../../replies.ts'
import { historyOf, readStaffActions } from '../../history.ts'
import { namedLink, readNames, type Names } from '../../names.ts'
import { cardOrderPath, refundPath } from '../paths.ts'
import { refundForm, refundFormPath, refundOrder } from './card-refund.ts'
import { idLink, orderTag, wordsOf } from '../words.ts'

/** The shares of the partner and of other customers, where the order has any. */
const sharesOf = (
  { partner_fee_cents: fee = 0, splits = [], currency }: FiatOrderOfPartner,
  names: Names,
) => [
  ...(fee === 0 ? [] : [{ term: 'Partner fee', value: fiatOfMinorUnits(fee, currency) }]),
  ...splits.map(({ partner_customer_id: receiver, amount_cents: cents, reference }) => ({
    term: 'Split',
    value: html`${fiatOfMinorUnits(cents, currency)} to
    ${namedLink(receiver, names)}${reference !== null && html` (${reference})`}`,
  })),
]

const factsOf = (order: FiatOrderOfPartner, names: Names): Html => {
  const amount = (cents: number) => fiatOfMinorUnits(cents, order.currency)
  return definitionList([
    { term: 'Status', value: orderTag(order.status) },
    { term: 'Total', value: amount(order.total_cents) },
    {
      term: 'Service fee',
      value: `${amount(order.service_fee_cents)}, paid by the ${order.service_fee_payer}`,
    },
    ...sharesOf(order, names),
    { term: 'Refunded', value: amount(order.refunded_cents) },
    { term: 'Disputed', value: amount(order.chargeback_cents) },
    { term: 'Reference', value: order.merchant_reference ?? 'None' },
    { term: 'Customer', value: namedLink(order.partner_customer_id, names) },
    { term: 'Partner', value: namedLink(order.partner_id, names) },
    { term: 'Processor', value: order.psp },
    { term: 'Processor’s order id', value: html`<code>${order.processor_order_id}</code>` },
    { term: 'Processor’s status', value: order.processor_status ?? 'Not known yet' },
  ])
}

const REFUND_TITLES = {
  pending: 'Refund requested',
  succeeded: 'Refunded',
  failed: 'Refund refused',
} as const

const momentOfRefund = (refund: Refund): Moment => ({
  at: refund.completed_at ?? refund.created_at,
  title: REFUND_TITLES[refund.status],
  text: html`${fiatOfMinorUnits(refund.amount_cents, refund.currency)}:
  ${idLink(refundPath(refund.refund_id), refund.refund_id)}`,
  tone: refund.status === 'failed' ? 'bad' : 'neutral',
})

const momentOfDispute = (dispute: Chargeback): Moment => ({
  at: dispute.disputed_at,
  title: 'Disputed',
  text:
    dispute.dispute_amount_cents === null || dispute.dispute_currency === null
      ? wordsOf(dispute.psp)
      : fiatOfMinorUnits(dispute.dispute_amount_cents, dispute.dispute_currency),
  tone: 'bad',
})

/** Returns the timeline of an order with its refunds and disputes. */
const momentsOf = (
  order: FiatOrderOfPartner,
  made: readonly Refund[],
  disputes: readonly Chargeback[],
): Moment[] => [
  { at: order.created_at, title: 'Created' },
  ...(order.completed_at === null ? [] : [{ at: order.completed_at, title: 'Paid', tone: 'good' as const }]),
  ...made.map(momentOfRefund),
  ...disputes.map(momentOfDispute),
]

const show = async (request: StaffRequest, refund = formWith(), status = 200): Promise<Answer> => {
  const { ask, session, params } = request
  const orderKey = params['orderKey'] ?? ''
  const reply = await ask(fiatOrders.getByStaff, { params: { orderKey } })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { order } = reply.value
  const owned = { params: { partnerId: order.partner_id, orderKey }, query: {} }
  const [made, disputes, staffActions, names] = await Promise.all([
    ask(refunds.listByStaff, owned),
    ask(chargebacks.listByStaff, owned),
    readStaffActions(request, `${order.partner_id}/${order.order_key}`),
    readNames(request, [order.partner_customer_id, order.partner_id, order.splits]),
  ])
  const isWhole = made.ok && disputes.ok
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: `Order ${order.order_key}`,
      main: html`<h1>Card order <code>${order.order_key}</code></h1>
        ${!isWhole && notice('warning', 'Part of the history is temporarily unavailable.', 'Load the page again in a moment.')}
        ${factsOf(order, names)} ${refundForm(session, order, refund)}
        ${historyOf(
          order.order_key,
          momentsOf(order, made.ok ? made.value.refunds : [], disputes.ok ? disputes.value.chargebacks : []),
          staffActions,
        )}`,
    }),
    status,
  )
}

export const cardOrderScreens: readonly Screen[] = [
  sessionScreen('console', {
    method: 'GET',
    path: cardOrderPath(':orderKey'),
    answer: (request) => show(request),
  }),
  sessionScreen('console', {
    method: 'POST',
    path: refundFormPath(':orderKey'),
    answer: (request) => refundOrder(request, (state, status) => show(request, state, status)),
  }),
]
