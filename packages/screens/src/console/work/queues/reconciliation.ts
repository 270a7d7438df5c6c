import { reconciliation, type RefundDifference } from '@causeway/contracts'
import type { z } from 'zod'
import {
  dialogButton,
  fiatOfMinorUnits,
  html,
  pagination,
  submit,
  table,
  time,
  type Html,
  type Part,
} from '../../../design/index.ts'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { consoleForm, consolePage, type StaffRequest, type StaffSession } from '../../frame.ts'
import { cursorOf, pageLinks } from '../../../paging.ts'
import { pageOf, redirectTo } from '../../../replies.ts'
import { mayDo } from '../../roles.ts'
import { cardOrderPath, RECONCILIATION_PATH, refundPath } from '../paths.ts'
import { idLink, wordsOf } from '../words.ts'

type Reconciliation = z.output<(typeof reconciliation.get)['reply']>
type Side = RefundDifference['here']

const sideOf = (side: Side): Part =>
  side === null
    ? 'Missing'
    : html`${fiatOfMinorUnits(side.amount_cents, side.currency)}, ${wordsOf(side.status).toLowerCase()}`

const closeButton = (session: StaffSession, { difference_id: id }: RefundDifference): Html =>
  dialogButton(
    { id: `close-${id}`, text: 'Close…', title: 'Close this difference?', look: 'quiet' },
    html`<p>
        Close a difference after you have checked it and accept it. It opens again when either side changes.
      </p>
      ${consoleForm(session, `${RECONCILIATION_PATH}/${id}/close`, submit('Close the difference'))}`,
  )

const differenceTable = (session: StaffSession, rows: readonly RefundDifference[]): Html =>
  table({
    caption: 'Open differences, oldest first',
    columns: [
      { heading: 'Difference', cell: (row) => wordsOf(row.kind) },
      {
        heading: 'Order',
        cell: (row) =>
          row.order_key === null ? 'Unknown' : idLink(cardOrderPath(row.order_key), row.order_key),
      },
      {
        heading: 'Refund',
        cell: (row) =>
          row.refund_id === null
            ? (row.processor_refund_id ?? '')
            : idLink(refundPath(row.refund_id), row.refund_id),
      },
      { heading: 'Here', cell: (row) => sideOf(row.here) },
      { heading: 'At the processor', cell: (row) => html`${row.processor}: ${sideOf(row.at_processor)}` },
      { heading: 'Found', cell: (row) => time(row.found_at) },
      ...(mayDo(session, 'finance')
        ? [{ heading: 'Actions', cell: (row: RefundDifference) => closeButton(session, row) }]
        : []),
    ],
    rows,
    empty: 'No differences. The platform and its processors have the same data.',
  })

const runTable = ({ processors }: Reconciliation): Html =>
  table({
    caption: 'Comparisons',
    columns: [
      { heading: 'Processor', cell: (row) => row.processor },
      {
        heading: 'Last finished',
        cell: ({ last_run: last }) => (last?.finished_at == null ? 'Not yet' : time(last.finished_at)),
      },
      { heading: 'Compared', cell: ({ last_run: last }) => last?.compared ?? '', isNumber: true },
      { heading: 'Recorded here', cell: ({ last_run: last }) => last?.recorded ?? '', isNumber: true },
      { heading: 'Skipped parts', cell: ({ last_run: last }) => last?.left_out.length ?? '', isNumber: true },
      { heading: 'State', cell: ({ current_run: current }) => (current === null ? 'Idle' : 'Running') },
    ],
    rows: processors,
    empty: 'No comparisons yet.',
  })

const list = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session } = request
  const reply = await ask(reconciliation.get, { query: cursorOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: 'Reconciliation',
      main: html`<h1>Reconciliation</h1>
        ${differenceTable(session, reply.value.differences)}
        ${pagination(pageLinks(RECONCILIATION_PATH, request, reply.value.next_cursor))}
        ${runTable(reply.value)}`,
    }),
  )
}

const close = async ({ ask, params }: StaffRequest): Promise<Answer> => {
  const reply = await ask(reconciliation.close, { params: { differenceId: params['differenceId'] ?? '' } })
  return reply.ok ? redirectTo(RECONCILIATION_PATH) : { kind: 'error', code: reply.code }
}

export const reconciliationScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: RECONCILIATION_PATH, answer: list }),
  sessionScreen('console', {
    method: 'POST',
    path: `${RECONCILIATION_PATH}/:differenceId/close`,
    answer: close,
  }),
]
