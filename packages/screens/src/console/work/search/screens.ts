import {
  customers,
  events,
  fiatOrders,
  orders,
  type CustomerOfPartner,
  type EventOwner,
  type FoundOrder,
} from '@causeway/contracts'
import { html, notice, table, type Html } from '../../../design/index.ts'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { consolePage, type StaffRequest } from '../../frame.ts'
import { namedLink, readNames, type Names } from '../../names.ts'
import { pageOf, redirectTo } from '../../../replies.ts'
import { orderTable } from '../orders/table.ts'
import { cardOrderPath, customerPath } from '../paths.ts'
import { idLink, wordsOf } from '../words.ts'
import { searchForm, SEARCH_PATH } from './form.ts'
import { lookupOf, pageOfId, type Lookup } from './targets.ts'

/** Maximum length of a search text. */
const MAX_LENGTH = 320

type Found = Readonly<{
  customers: readonly CustomerOfPartner[]
  similar: readonly CustomerOfPartner[]
  orders: readonly FoundOrder[]
  /** True if all searches succeeded. */
  isWhole: boolean
}>

const find = async (ask: StaffRequest['ask'], lookup: Lookup): Promise<Found> => {
  const [people, replies] = await Promise.all([
    Promise.all(lookup.customers.map((body) => ask(customers.search, { body }))),
    Promise.all(lookup.orders.map((body) => ask(orders.search, { body }))),
  ])
  const exact = new Map(
    people
      .flatMap((reply) => (reply.ok ? reply.value.customers : []))
      .map((row) => [row.partner_customer_id, row]),
  )
  const similar = people.flatMap((reply) => (reply.ok ? (reply.value.similar ?? []) : []))
  const found = new Map(
    replies.flatMap((reply) =>
      reply.ok ? reply.value.orders.map((order) => [order.order_id, order] as const) : [],
    ),
  )
  return {
    customers: [...exact.values()],
    similar: similar.filter((row) => !exact.has(row.partner_customer_id)),
    orders: [...found.values()],
    // A text with the wrong format for a search counts as not found.
    isWhole: [...people, ...replies].every((reply) => reply.ok || reply.code === 'invalid_request'),
  }
}

const customerTable = (caption: string, rows: readonly CustomerOfPartner[], names: Names): Html =>
  table({
    caption,
    columns: [
      {
        heading: 'Customer',
        cell: (row) => idLink(customerPath(row.partner_customer_id), row.partner_customer_id),
      },
      { heading: 'Name', cell: (row) => row.customer.name ?? 'Not given' },
      { heading: 'Partner’s customer id', cell: (row) => row.external_customer_id },
      { heading: 'Partner', cell: (row) => namedLink(row.partner_id, names) },
      { heading: 'Relationship', cell: (row) => wordsOf(row.relationship_status) },
    ],
    rows,
    empty: 'No customers found.',
  })

const search = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session, query, form } = request
  const text = (form.get('q') ?? query.get('q') ?? '').trim().slice(0, MAX_LENGTH)
  const target = pageOfId(text)
  if (target !== null) return redirectTo(target)
  const lookup = lookupOf(text)
  const card =
    lookup.orderKey === null ? null : await ask(fiatOrders.getByStaff, { params: { orderKey: text } })
  if (card?.ok) return redirectTo(cardOrderPath(text))
  const found = text === '' ? null : await find(ask, lookup)
  const names = await readNames(
    request,
    [...(found?.customers ?? []), ...(found?.similar ?? []), ...(found?.orders ?? [])].map((row) => [
      row.partner_id,
      row.partner_customer_id,
    ]),
  )
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: 'Find',
      main: html`<h1>Find</h1>
        ${searchForm(session, text)}
        ${found?.isWhole === false && notice('warning', 'Some results are temporarily unavailable.', 'Try again in a moment.')}
        ${
          found !== null &&
          html`${customerTable('Customers', found.customers, names)}
          ${found.similar.length > 0 && customerTable('Customers with a similar name', found.similar, names)}
          ${orderTable(found.orders, 'No orders found.', names)}`
        }`,
    }),
  )
}

const eventPathOf = (
  { partner_id: partnerId, customer_id: customerId }: EventOwner,
  eventId: string,
): string =>
  partnerId === null
    ? `/console/merchants/${customerId ?? ''}/webhook-events/${eventId}`
    : `/console/partners/${partnerId}/webhook-events/${eventId}`

/** Shows an event in the log of its owner, or the list of logs if it is in several. */
const showEvent = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session, params } = request
  const eventId = params['eventId'] ?? ''
  const reply = await ask(events.listOwners, { params: { eventId } })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const [first, ...others] = reply.value.owners
  if (first !== undefined && others.length === 0) return redirectTo(eventPathOf(first, eventId))
  const owners = await readNames(request, reply.value.owners)
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: `Event ${eventId}`,
      main: html`<h1>Event <code>${eventId}</code></h1>
        ${table({
          caption: 'Logs with this event',
          columns: [
            {
              heading: 'Log',
              cell: (row) => {
                const id = row.partner_id ?? row.customer_id ?? ''
                return html`${owners.get(id) ?? ''} ${idLink(eventPathOf(row, eventId), id)}`
              },
            },
            { heading: 'Owner', cell: (row) => (row.partner_id === null ? 'A merchant' : 'A partner') },
          ],
          rows: reply.value.owners,
          empty: 'No log contains this event.',
        })}`,
    }),
  )
}

export const searchScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: SEARCH_PATH, answer: search }),
  sessionScreen('console', { method: 'POST', path: SEARCH_PATH, answer: search }),
  sessionScreen('console', { method: 'GET', path: '/console/events/:eventId', answer: showEvent }),
]
