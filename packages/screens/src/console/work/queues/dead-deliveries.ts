import { deliveries, type DeadDelivery } from '@causeway/contracts'
import { html, pagination, submit, table, time, type Html } from '../../../design/index.ts'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { consoleForm, consolePage, type StaffRequest, type StaffSession } from '../../frame.ts'
import { cursorOf, pageLinks } from '../../../paging.ts'
import { pageOf, redirectTo } from '../../../replies.ts'
import { namedLink, readNames, type Names } from '../../names.ts'
import { mayDo } from '../../roles.ts'
import { DEAD_DELIVERIES_PATH } from '../paths.ts'
import { idLink } from '../words.ts'

/** Renders a link to the owner of a delivery. */
const ownerOf = ({ partner_id: partnerId, customer_id: customerId }: DeadDelivery, names: Names): Html =>
  namedLink(partnerId ?? customerId ?? '', names)

const logOf = ({ partner_id: partnerId, customer_id: customerId, webhook_id: id }: DeadDelivery): string =>
  partnerId === null
    ? `/console/merchants/${customerId ?? ''}/webhooks/${id}/deliveries`
    : `/console/partners/${partnerId}/webhooks/${id}/deliveries`

const resendForm = (session: StaffSession, row: DeadDelivery): Html =>
  consoleForm(
    session,
    `${DEAD_DELIVERIES_PATH}/${row.delivery_id}/resend`,
    html`<input type="hidden" name="partner_id" value="${row.partner_id ?? ''}" />
      <input type="hidden" name="customer_id" value="${row.customer_id ?? ''}" />
      <input type="hidden" name="webhook_id" value="${row.webhook_id}" />
      ${submit('Resend', 'quiet')}`,
  )

const deadTable = (session: StaffSession, rows: readonly DeadDelivery[], names: Names): Html =>
  table({
    caption: 'Dead deliveries, newest first',
    columns: [
      { heading: 'Event', cell: (row) => idLink(`/console/events/${row.event_id}`, row.event_type) },
      { heading: 'Created', cell: (row) => time(row.created_at) },
      { heading: 'Webhook', cell: (row) => html`<a href="${logOf(row)}">${row.url}</a>` },
      { heading: 'Owner', cell: (row) => ownerOf(row, names) },
      ...(mayDo(session, 'admin')
        ? [{ heading: 'Actions', cell: (row: DeadDelivery) => resendForm(session, row) }]
        : []),
    ],
    rows,
    empty: 'No dead deliveries.',
  })

const list = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session } = request
  const reply = await ask(deliveries.listDead, { query: cursorOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const names = await readNames(
    request,
    reply.value.deliveries.map((row) => row.partner_id ?? row.customer_id),
  )
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: 'Dead deliveries',
      main: html`<h1>Dead deliveries</h1>
        <p>
          All attempts failed. Resend a delivery when the endpoint works again. To send many events to one
          webhook, start a redelivery on its page.
        </p>
        ${deadTable(session, reply.value.deliveries, names)}
        ${pagination(pageLinks(DEAD_DELIVERIES_PATH, request, reply.value.next_cursor))}`,
    }),
  )
}

const resend = async ({ ask, form, params }: StaffRequest): Promise<Answer> => {
  const destination = { webhookId: form.get('webhook_id') ?? '', deliveryId: params['deliveryId'] ?? '' }
  const partnerId = form.get('partner_id') ?? ''
  const reply =
    partnerId === ''
      ? await ask(deliveries.redeliverOfMerchant, {
          params: { customerId: form.get('customer_id') ?? '', ...destination },
        })
      : await ask(deliveries.redeliver, { params: { partnerId, ...destination } })
  return reply.ok ? redirectTo(DEAD_DELIVERIES_PATH) : { kind: 'error', code: reply.code }
}

export const deadDeliveryScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: DEAD_DELIVERIES_PATH, answer: list }),
  sessionScreen('console', {
    method: 'POST',
    path: `${DEAD_DELIVERIES_PATH}/:deliveryId/resend`,
    answer: resend,
  }),
]
