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
import { cardOrderPath, customerPath, refundPath, REFUNDS_PATH } from '../paths.ts'
import { idLink, wordsOf } from '../words.ts'

const TONES = { pending: 'warning', succeeded: 'good', failed: 'bad' } as const
export const refundTag = (status: RefundOfPartner['status']): Html =>
  statusTag(TONES[status], status === 'pending' ? 'No answer yet' : wordsOf(status))

const refundTable = (rows: readonly RefundOfPartner[]): Html =>
  table({
    caption: 'Refunds that the processor has not answered, oldest first',
    columns: [
      { heading: 'Refund', cell: (row) => idLink(refundPath(row.refund_id), row.refund_id) },
      { heading: 'Order', cell: (row) => idLink(cardOrderPath(row.order_key), row.order_key) },
      { heading: 'Amount', cell: (row) => fiatOfMinorUnits(row.amount_cents, row.currency), isNumber: true },
      { heading: 'Made', cell: (row) => time(row.created_at) },
      { heading: 'Processor', cell: (row) => row.processor },
      { heading: 'Attempts', cell: (row) => row.attempts, isNumber: true },
    ],
    rows,
    empty: 'Every refund has its answer.',
  })

const list = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session } = request
  const reply = await ask(refunds.listPending, { query: cursorOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: 'Refunds without an answer',
      main: html`<h1>Refunds without an answer</h1>
        <p>
          They are asked about again by themselves, at least every 30 seconds. Ask the processor about one
          that stays.
        </p>
        ${refundTable(reply.value.refunds)}
        ${pagination(pageLinks(REFUNDS_PATH, request, reply.value.next_cursor))}`,
    }),
  )
}

const factsOf = (refund: RefundOfPartner): Html =>
  definitionList([
    { term: 'Status', value: refundTag(refund.status) },
    { term: 'Amount', value: fiatOfMinorUnits(refund.amount_cents, refund.currency) },
    { term: 'Order', value: idLink(cardOrderPath(refund.order_key), refund.order_key) },
    {
      term: 'Customer',
      value: idLink(customerPath(refund.partner_customer_id), refund.partner_customer_id),
    },
    { term: 'Partner', value: idLink(`/console/partners/${refund.partner_id}`, refund.partner_id) },
    { term: 'Made by', value: refund.source === 'api' ? 'The partner' : 'Somebody at the processor' },
    { term: 'Processor', value: refund.processor },
    { term: 'The processor’s id', value: refund.processor_refund_id ?? 'Not known yet' },
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
  const staffActions = await readStaffActions(request, refund.refund_id)
  const outcome = refund.status === 'failed' ? 'The processor refused it' : 'The processor made it'
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: `Refund ${refund.refund_id}`,
      main: html`<h1>Refund <code>${refund.refund_id}</code></h1>
        ${factsOf(refund)}
        ${historyOf(
          refund.refund_id,
          [
            { at: refund.created_at, title: 'Asked for' },
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
