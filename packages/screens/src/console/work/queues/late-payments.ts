import { latePayments, type LatePayment } from '@causeway/contracts'
import { html, pagination, table, time, type Html } from '../../../design/index.ts'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { consolePage, type StaffRequest } from '../../frame.ts'
import { cursorOf, pageLinks } from '../../../paging.ts'
import { pageOf } from '../../../replies.ts'
import { cryptoOrderPath, customerPath, LATE_PAYMENTS_PATH } from '../paths.ts'
import { idLink, orderTag } from '../words.ts'

const latePaymentTable = (rows: readonly LatePayment[]): Html =>
  table({
    caption: 'Deposits that arrived after the end of their order, oldest first',
    columns: [
      { heading: 'Order', cell: (row) => idLink(cryptoOrderPath(row.order_id), row.order_id) },
      { heading: 'Its status', cell: (row) => orderTag(row.order_status) },
      {
        heading: 'Arrived',
        cell: (row) => html`${row.amount} ${row.asset} on ${row.network}`,
        isNumber: true,
      },
      { heading: 'At', cell: (row) => time(row.received_at) },
      { heading: 'Reference', cell: (row) => row.reference },
      {
        heading: 'Customer',
        cell: (row) => idLink(customerPath(row.partner_customer_id), row.partner_customer_id),
      },
    ],
    rows,
    empty: 'No money arrived late.',
  })

const list = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session } = request
  const reply = await ask(latePayments.list, { query: cursorOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { late_payments: rows, next_cursor: next } = reply.value
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: 'Late payments',
      main: html`<h1>Late payments</h1>
        <p>
          Nothing of it counts for its order. Open the order to send the money back; an order that is paid or
          refunded was handled.
        </p>
        ${latePaymentTable(rows)} ${pagination(pageLinks(LATE_PAYMENTS_PATH, request, next))}`,
    }),
  )
}

export const latePaymentScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: LATE_PAYMENTS_PATH, answer: list }),
]
