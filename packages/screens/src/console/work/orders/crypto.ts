import { cryptoOrders, type CryptoOrderFile } from '@causeway/contracts'
import {
  definitionList,
  dialogButton,
  fiat,
  html,
  statusTag,
  submit,
  table,
  textField,
  time,
  type Html,
  type Moment,
} from '../../../design/index.ts'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { formFaults, formWith, titleOf, type FormState } from '../../../form-state.ts'
import { consoleForm, consolePage, type StaffRequest, type StaffSession } from '../../frame.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../../replies.ts'
import { mayDo } from '../../roles.ts'
import { historyOf, readStaffActions } from '../../history.ts'
import { cryptoOrderPath, customerPath } from '../paths.ts'
import { idLink, orderTag } from '../words.ts'
import { isRefundable, readRefund, refundMoments, refundPart, type ShownRefund } from './crypto-refund.ts'

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

const refundForm = (
  session: StaffSession,
  { id, received, asset, network }: CryptoOrderFile,
  state: FormState,
): Html =>
  html`${formFaults(state)}
  ${dialogButton(
    { id: 'refund', text: 'Refund…', title: 'Was the money sent back?', look: 'danger' },
    html`<p>
        The order has received ${received} ${asset}. Say here where to it goes back; the partner is told.
      </p>
      ${consoleForm(
        session,
        `${cryptoOrderPath(id)}/refund`,
        html`${textField({
          name: 'to_address',
          label: 'To the address',
          hint: `An address of ${network} other than the order’s own`,
          value: state.entered.get('to_address') ?? '',
          error: state.errors['to_address'],
          isRequired: true,
        })}
        ${submit('Refund the order', 'danger')}`,
      )}`,
  )}`

const show = async (request: StaffRequest, state = formWith(), status = 200): Promise<Answer> => {
  const { ask, session } = request
  const reply = await ask(cryptoOrders.getByStaff, { params: { orderId: idOf(request) } })
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
      title: titleOf(`Order ${order.reference}`, state),
      main: html`<h1>Crypto order <code>${order.id}</code></h1>
        ${factsOf(order)}
        ${isRefundable(order, shown) && mayDo(session, 'finance') ? refundForm(session, order, state) : formFaults(state)}
        ${refundPart(order, shown)} ${depositTable(order)}
        ${historyOf(order.id, momentsOf(order, shown), staffActions)}`,
    }),
    status,
  )
}

const refund = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form } = request
  const body = { to_address: form.get('to_address')?.trim() ?? '' }
  const reply = await ask(cryptoOrders.refund, { params: { orderId: idOf(request) }, body })
  return reply.ok
    ? redirectTo(cryptoOrderPath(idOf(request)))
    : answerRefusedForm(reply, form, (state, status) => show(request, state, status))
}

export const cryptoOrderScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: PATH, answer: (request) => show(request) }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/refund`, answer: refund }),
]
