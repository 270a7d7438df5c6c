import { cryptoOrders, type CryptoOrderFile } from '@causeway/contracts'
import {
  definitionList,
  fiat,
  html,
  statusTag,
  table,
  time,
  type Html,
  type Moment,
} from '../../../design/index.ts'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { formWith, titleOf } from '../../../form-state.ts'
import { consolePage, type StaffRequest } from '../../frame.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../../replies.ts'
import { mayDo } from '../../roles.ts'
import { historyOf, readStaffActions } from '../../history.ts'
import { cryptoOrderPath, customerPath } from '../paths.ts'
import { idLink, orderTag } from '../words.ts'
import { isRefundable, readRefund, refundMoments, refundPart, type ShownRefund } from './crypto-refund.ts'
import { confirmation, refundButton, refundPathOf, refundRequestOf, refusedRefund } from './refund-form.ts'

const PATH = cryptoOrderPath(':orderId')
const idOf = ({ params }: StaffRequest): string => params['orderId'] ?? ''

const factsOf = (order: CryptoOrderFile): Html =>
  definitionList([
    { term: 'Status', value: orderTag(order.status) },
    {
      term: 'Amount',
      value: `${order.amount} ${order.asset} on ${order.network} (${fiat(order.fiatAmount, order.currency)})`,
    },
    { term: 'Received', value: `${order.received} ${order.asset}` },
    { term: 'Reference', value: order.reference },
    { term: 'Address', value: html`<code>${order.address}</code>` },
    { term: 'Customer', value: idLink(customerPath(order.partner_customer_id), order.partner_customer_id) },
    { term: 'Partner', value: idLink(`/console/partners/${order.partner_id}`, order.partner_id) },
    { term: 'Expires', value: time(order.expiresAt) },
  ])

const depositTable = ({ deposits }: CryptoOrderFile): Html =>
  table({
    caption: 'Deposits',
    columns: [
      { heading: 'Transaction', cell: (row) => html`<code>${row.tx_id}</code>` },
      { heading: 'Amount', cell: (row) => `${row.amount} ${row.asset}`, isNumber: true },
      { heading: 'Block', cell: (row) => row.block_number ?? 'In none', isNumber: true },
      { heading: 'Confirmations', cell: (row) => row.confirmations, isNumber: true },
      {
        heading: 'Counts',
        cell: (row) =>
          row.late
            ? statusTag('warning', 'Late')
            : statusTag(
                row.counted_at === null ? 'neutral' : 'good',
                row.counted_at === null ? 'Not yet' : 'Yes',
              ),
      },
    ],
    rows: deposits,
    empty: 'Nothing arrived.',
  })

const momentsOf = (order: CryptoOrderFile, refund: ShownRefund): Moment[] => [
  ...refundMoments(refund),
  { at: order.createdAt, title: 'Created' },
  ...order.deposits.flatMap(({ counted_at: at, amount, asset, late }) =>
    at === null
      ? []
      : [
          {
            at,
            title: late ? 'Late payment' : 'Deposit counted',
            text: `${amount} ${asset}`,
            tone: 'good' as const,
          },
        ],
  ),
  { at: order.expiresAt, title: 'The time to pay ends' },
]

const readOrder = ({ ask, params: { orderId = '' } }: StaffRequest) =>
  ask(cryptoOrders.getByStaff, { params: { orderId } })

const readPlan = ({ ask, params: { orderId = '' } }: StaffRequest, toAddress?: string) =>
  ask(cryptoOrders.getRefundPlan, {
    params: { orderId },
    query: toAddress === undefined ? {} : { to_address: toAddress },
  })

/** The button that begins a refund, where there is something to send back and this person may. */
const refundPartOf = async (request: StaffRequest, order: CryptoOrderFile, shown: ShownRefund) => {
  if (!isRefundable(order, shown) || !mayDo(request.session, 'finance')) return html``
  const reply = await readPlan(request)
  return reply.ok ? refundButton(cryptoOrderPath(order.id), reply.value.plan) : html``
}

const show = async (request: StaffRequest): Promise<Answer> => {
  const { session } = request
  const reply = await readOrder(request)
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { order } = reply.value
  const [shown, staffActions] = await Promise.all([
    readRefund(request, order),
    readStaffActions(request, order.id),
  ])
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: `Order ${order.reference}`,
      main: html`<h1>Crypto order <code>${order.id}</code></h1>
        ${factsOf(order)} ${await refundPartOf(request, order, shown)} ${refundPart(order, shown)}
        ${depositTable(order)} ${historyOf(order.id, momentsOf(order, shown), staffActions)}`,
    }),
  )
}

/** What is confirmed before anything is sent: @param entered the address, and whether staff have sent it themselves */
const showConfirmation = async (
  request: StaffRequest,
  entered: URLSearchParams,
  state = formWith(entered),
  status = 200,
): Promise<Answer> => {
  const toAddress = entered.get('to_address')?.trim() ?? ''
  const byHand = entered.get('by_hand') === 'yes' || entered.get('sent_by_hand') === 'yes'
  const reply = await readPlan(request, toAddress === '' ? undefined : toAddress)
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const title = byHand ? 'Record a refund' : 'Send a refund'
  return pageOf(
    consolePage({
      session: request.session,
      current: '/console',
      title: titleOf(title, state),
      main: confirmation(
        request.session,
        cryptoOrderPath(idOf(request)),
        { plan: reply.value.plan, toAddress, byHand },
        state,
      ),
    }),
    status,
  )
}

const refund = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form } = request
  const reply = await ask(cryptoOrders.refund, {
    params: { orderId: idOf(request) },
    body: refundRequestOf(form),
  })
  if (reply.ok) return redirectTo(cryptoOrderPath(idOf(request)))
  return answerRefusedForm(reply, form, (_, status) =>
    showConfirmation(request, form, refusedRefund(form, reply), status),
  )
}

export const cryptoOrderScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: PATH, answer: (request) => show(request) }),
  sessionScreen('console', {
    method: 'GET',
    path: refundPathOf(PATH),
    answer: (request) => showConfirmation(request, request.query),
  }),
  sessionScreen('console', { method: 'POST', path: refundPathOf(PATH), answer: refund }),
]
