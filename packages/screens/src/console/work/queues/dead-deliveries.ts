import { deliveries, ID_PREFIXES, type DeadDelivery } from '@causeway/contracts'
import { html, pagination, submit, table, time, type Html } from '../../../design/index.ts'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { consoleForm, consolePage, type StaffRequest, type StaffSession } from '../../frame.ts'
import { cursorOf, pageLinks } from '../../../paging.ts'
import { pageOf, redirectTo } from '../../../replies.ts'
import { actOnEach, bulkForm, refusedOutcome, selectColumn } from '../../lists/bulk.ts'
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

/** The owner, the webhook and the delivery, whose ids contain no space. */
const valueOf = (row: DeadDelivery): string =>
  `${row.partner_id ?? row.customer_id ?? ''} ${row.webhook_id} ${row.delivery_id}`
const nameOf = (row: DeadDelivery): string => `${row.event_type} to ${row.url}`

const deadTable = ({ session, query }: StaffRequest, rows: readonly DeadDelivery[], names: Names): Html =>
  table({
    caption: 'Dead deliveries, newest first',
    columns: [
      { heading: 'Event', cell: (row) => idLink(`/console/events/${row.event_id}`, row.event_type) },
      { heading: 'Created', cell: (row) => time(row.created_at) },
      { heading: 'Webhook', cell: (row) => html`<a href="${logOf(row)}">${row.url}</a>` },
      { heading: 'Owner', cell: (row) => ownerOf(row, names) },
      ...(mayDo(session, 'admin')
        ? [
            { heading: 'Actions', cell: (row: DeadDelivery) => resendForm(session, row) },
            selectColumn<DeadDelivery>(query, { valueOf, nameOf }),
          ]
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
        ${deadTable(request, reply.value.deliveries, names)}
        ${
          reply.value.deliveries.length > 0 &&
          mayDo(session, 'admin') &&
          bulkForm(session, {
            query: request.query,
            path: DEAD_DELIVERIES_PATH,
            action: `${DEAD_DELIVERIES_PATH}/resend`,
            text: 'Resend the selected deliveries',
          })
        }
        ${pagination(pageLinks(DEAD_DELIVERIES_PATH, request, reply.value.next_cursor))}`,
    }),
  )
}

type Destination = Readonly<{ webhookId: string; deliveryId: string }>

/** Retries a delivery of a partner or a merchant. */
const redeliver = ({ ask }: StaffRequest, owner: string, destination: Destination) =>
  owner.startsWith(`${ID_PREFIXES.partner}_`)
    ? ask(deliveries.redeliver, { params: { partnerId: owner, ...destination } })
    : ask(deliveries.redeliverOfMerchant, { params: { customerId: owner, ...destination } })

/** Resends the selected deliveries. */
const resendSelected = (request: StaffRequest): Promise<Answer> =>
  actOnEach(request, {
    title: 'Resent deliveries',
    role: 'admin',
    back: { path: DEAD_DELIVERIES_PATH, text: 'Dead deliveries' },
    async act(value) {
      const [owner = '', webhookId = '', deliveryId = ''] = value.split(' ')
      const entry = html`<code>${deliveryId}</code>`
      const reply = await redeliver(request, owner, { webhookId, deliveryId })
      return reply.ok ? { entry, tone: 'good', text: 'Sent again' } : refusedOutcome(entry, reply.code)
    },
  })

const resend = async (request: StaffRequest): Promise<Answer> => {
  const { form, params } = request
  const destination = { webhookId: form.get('webhook_id') ?? '', deliveryId: params['deliveryId'] ?? '' }
  const owner = form.get('partner_id') || form.get('customer_id') || ''
  const reply = await redeliver(request, owner, destination)
  return reply.ok ? redirectTo(DEAD_DELIVERIES_PATH) : { kind: 'error', code: reply.code }
}

export const deadDeliveryScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: DEAD_DELIVERIES_PATH, answer: list }),
  sessionScreen('console', {
    method: 'POST',
    path: `${DEAD_DELIVERIES_PATH}/resend`,
    answer: resendSelected,
  }),
  sessionScreen('console', {
    method: 'POST',
    path: `${DEAD_DELIVERIES_PATH}/:deliveryId/resend`,
    answer: resend,
  }),
]
