import { cryptoOrders, type CryptoOrderFile } from '@causeway/contracts'
import {
  amountInUnit,
  cryptoAmount,
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
import { consolePage, type StaffRequest } from '../../frame.ts'
import { pageOf } from '../../../replies.ts'
import { historyOf, readStaffActions } from '../../history.ts'
import { namedLink, readNames, type Names } from '../../names.ts'
import { cryptoOrderPath } from '../paths.ts'
import { orderTag } from '../words.ts'
import {
  beginRefund,
  orderRefundScreens,
  readRefund,
  refundMoments,
  refundPart,
  type ShownRefund,
} from './crypto-refund.ts'

/** The service fee, where the order has one. */
const feeOf = ({ serviceFee, serviceFeePayer, asset }: CryptoOrderFile) =>
  serviceFee === undefined
    ? []
    : [{ term: 'Service fee', value: `${serviceFee} ${asset}, paid by the ${serviceFeePayer}` }]

const factsOf = (order: CryptoOrderFile, names: Names): Html =>
  definitionList([
    { term: 'Status', value: orderTag(order.status) },
    {
      term: 'Amount',
      value: `${cryptoAmount(order.amount, order.asset, order.network)} (${fiat(order.fiatAmount, order.currency)})`,
    },
    ...feeOf(order),
    { term: 'Received', value: `${order.received} ${order.asset}` },
    { term: 'Reference', value: order.reference },
    { term: 'Address', value: html`<code>${order.address}</code>` },
    { term: 'Customer', value: namedLink(order.partner_customer_id, names) },
    { term: 'Partner', value: namedLink(order.partner_id, names) },
    { term: 'Expires', value: time(order.expiresAt) },
  ])

const depositTable = ({ deposits, serviceFee, currency }: CryptoOrderFile): Html =>
  table({
    caption: 'Deposits',
    columns: [
      { heading: 'Transaction', cell: (row) => html`<code>${row.tx_id}</code>` },
      { heading: 'Amount', cell: (row) => `${row.amount} ${row.asset}`, isNumber: true },
      ...(serviceFee === undefined
        ? []
        : [
            {
              heading: 'Service fee',
              cell: (row: CryptoOrderFile['deposits'][number]) => `${row.service_fee ?? '0'} ${row.asset}`,
              isNumber: true,
            },
          ]),
      ...(deposits.every((row) => row.settled_cents === undefined)
        ? []
        : [
            {
              heading: 'Converted',
              cell: ({
                settled_amount: amount,
                settled_cents: cents,
                asset,
              }: CryptoOrderFile['deposits'][number]) =>
                amount === undefined || cents === undefined
                  ? 'Nothing'
                  : `${amount} ${asset} into ${amountInUnit(cents, currency)}`,
              isNumber: true,
            },
          ]),
      { heading: 'Block', cell: (row) => row.block_number ?? 'None yet', isNumber: true },
      { heading: 'Confirmations', cell: (row) => row.confirmations, isNumber: true },
      {
        heading: 'Counted',
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
    empty: 'No deposits yet.',
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
            title: late ? 'Late deposit: does not count' : 'Deposit counted',
            text: `${amount} ${asset}`,
            tone: late ? ('warning' as const) : ('good' as const),
          },
        ],
  ),
  { at: order.expiresAt, title: 'Expiry' },
]

const readOrder = ({ ask, params: { orderId = '' } }: StaffRequest) =>
  ask(cryptoOrders.getByStaff, { params: { orderId } })

const show = async (request: StaffRequest, hasFourEyes: boolean): Promise<Answer> => {
  const { session } = request
  const reply = await readOrder(request)
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { order } = reply.value
  const [shown, staffActions, names] = await Promise.all([
    readRefund(request, order),
    readStaffActions(request, order.id),
    readNames(request, [order.partner_customer_id, order.partner_id]),
  ])
  const refundForm = await beginRefund(request, order, { shown, hasFourEyes })
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: `Order ${order.reference}`,
      main: html`<h1>Crypto order <code>${order.id}</code></h1>
        ${factsOf(order, names)} ${refundForm} ${refundPart(shown)} ${depositTable(order)}
        ${historyOf(order.id, momentsOf(order, shown), staffActions)}`,
    }),
  )
}

/** The page of a crypto order. @param hasFourEyes true if a refund may need a second person */
export const cryptoOrderScreens = (hasFourEyes: boolean): readonly Screen[] => [
  sessionScreen('console', {
    method: 'GET',
    path: cryptoOrderPath(':orderId'),
    answer: (request) => show(request, hasFourEyes),
  }),
  ...orderRefundScreens,
]
