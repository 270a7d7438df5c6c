import { refunds, type RefundOfPartner } from '@causeway/contracts'
import {
  definitionList,
  fiatOfMinorUnits,
  html,
  pagination,
  statusTag,
  table,
  time,
  type Html,
} from '../../../design/index.ts'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { consolePage, type StaffRequest } from '../../frame.ts'
import { cursorOf, pageLinks } from '../../../paging.ts'
import { pageOf } from '../../../replies.ts'
import { historyOf, readStaffActions } from '../../history.ts'
import { namedLink, readNames, type Names } from '../../names.ts'
import { cardOrderPath, refundPath, REFUNDS_PATH } from '../paths.ts'
import { idLink, wordsOf } from '../words.ts'

const TONES = { pending: 'warning', succeeded: 'good', failed: 'bad' } as const
export const refundTag = (status: RefundOfPartner['status']): Html =>
  statusTag(TONES[status], status === 'pending' ? 'Pending' : wordsOf(status))

const refundTable = (rows: readonly RefundOfPartner[], names: Names): Html =>
  table({
    caption: 'Pending refunds, oldest first',
    columns: [
      { heading: 'Refund', cell: (row) => idLink(refundPath(row.refund_id), row.refund_id) },
      { heading: 'Order', cell: (row) => idLink(cardOrderPath(row.order_key), row.order_key) },
      { heading: 'Customer', cell: (row) => namedLink(row.partner_customer_id, names) },
      { heading: 'Partner', cell: (row) => namedLink(row.partner_id, names) },
      { heading: 'Amount', cell: (row) => fiatOfMinorUnits(row.amount_cents, row.currency), isNumber: true },
      { heading: 'Created', cell: (row) => time(row.created_at) },
      { heading: 'Processor', cell: (row) => row.processor },
      { heading: 'Attempts', cell: (row) => row.attempts, isNumber: true },
    ],
    rows,
    empty: 'No pending refunds.',
  })

const list = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session } = request
  const reply = await ask(refunds.listPending, { query: cursorOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const names = await readNames(request, reply.value.refunds)
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: 'Pending refunds',
      main: html`<h1>Pending refunds</h1>
        <p>
          The processor’s response is still missing. They are retried automatically, at least every 30
          seconds. If one stays pending, contact the processor.
        </p>
        ${refundTable(reply.value.refunds, names)}
        ${pagination(pageLinks(REFUNDS_PATH, request, reply.value.next_cursor))}`,
    }),
  )
}

const factsOf = (refund: RefundOfPartner, names: Names): Html =>
  definitionList([
    { term: 'Status', value: refundTag(refund.status) },
    { term: 'Amount', value: fiatOfMinorUnits(refund.amount_cents, refund.currency) },
    { term: 'Order', value: idLink(cardOrderPath(refund.order_key), refund.order_key) },
    { term: 'Customer', value: namedLink(refund.partner_customer_id, names) },
    { term: 'Partner', value: namedLink(refund.partner_id, names) },
    { term: 'Created by', value: refund.source === 'api' ? 'The partner' : 'Someone at the processor' },
    { term: 'Processor', value: refund.processor },
    { term: 'Processor’s refund id', value: refund.processor_refund_id ?? 'Not known yet' },
    { term: 'Description', value: refund.description ?? 'None' },
    ...(refund.order_lines === null
      ? []
      : [
          {
            term: 'Lines',
            value: refund.order_lines
              .map((line) => `${line.quantity} × ${line.merchant_order_line_id}`)
              .join(', '),
          },
        ]),
  ])

const show = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session, params } = request
  const reply = await ask(refunds.getByStaff, { params: { refundId: params['refundId'] ?? '' } })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { refund } = reply.value
  const [staffActions, names] = await Promise.all([
    readStaffActions(request, refund.refund_id),
    readNames(request, refund),
  ])
  const outcome = refund.status === 'failed' ? 'Refused by the processor' : 'Executed by the processor'
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: `Refund ${refund.refund_id}`,
      main: html`<h1>Refund <code>${refund.refund_id}</code></h1>
        ${factsOf(refund, names)}
        ${historyOf(
          refund.refund_id,
          [
            { at: refund.created_at, title: 'Requested' },
            ...(refund.completed_at === null
              ? []
              : [{ at: refund.completed_at, title: outcome, tone: TONES[refund.status] }]),
          ],
          staffActions,
        )}`,
    }),
  )
}

export const refundScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: REFUNDS_PATH, answer: list }),
  sessionScreen('console', { method: 'GET', path: `${REFUNDS_PATH}/:refundId`, answer: show }),
]
