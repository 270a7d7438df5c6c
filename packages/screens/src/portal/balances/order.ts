import { balanceEntries, orders, orderSettlements, type OrderSettlement } from '@causeway/contracts'
import { amountInUnit, html, pagination, table, type Html } from '../../design/index.ts'
import { pageLinks } from '../../paging.ts'
import { pageOf } from '../../replies.ts'
import type { Answer } from '../../screen.ts'
import { wordsOf } from '../../console/work/words.ts'
import { portalPage, type PortalRequest } from '../frame.ts'
import { depositsOf } from './deposits.ts'
import { entryTable, listEntries } from './entries.ts'
import { BALANCES_PATH, ORDER_PATH } from './paths.ts'

const settlementTable = (rows: readonly OrderSettlement[]): Html =>
  table({
    caption: 'At the card processor, oldest first',
    columns: [
      { heading: 'Line', cell: ({ lineId }) => html`<code>${lineId}</code>` },
      { heading: 'Kind', cell: ({ kind }) => wordsOf(kind) },
      {
        heading: 'Amount',
        cell: ({ grossCents, currency, original }) =>
          original === null
            ? amountInUnit(grossCents, currency)
            : html`${amountInUnit(original.grossCents, original.currency)}, settled as
              ${amountInUnit(grossCents, currency)}`,
        isNumber: true,
      },
      { heading: 'Rate', cell: ({ original }) => original?.rate ?? '' },
      { heading: 'Settled on', cell: ({ availableOn }) => availableOn },
      {
        heading: 'Processor’s payout',
        cell: ({ payoutRef, paidOutOn }) =>
          payoutRef === null ? 'Not yet' : html`<code>${payoutRef}</code> ${paidOutOn ?? ''}`,
      },
      { heading: 'Booked by the bank', cell: ({ bookedOn }) => bookedOn ?? 'Not yet' },
    ],
    rows,
    empty: 'The processor has not settled this order yet.',
  })

const settlementsOf = async ({ ask }: PortalRequest, orderKey: string): Promise<Html | null> => {
  if (orderKey === '') return null
  const reply = await ask(orderSettlements.listByMerchant, { params: { orderKey } })
  return reply.ok ? settlementTable(reply.value.settlements) : null
}

/** True if the merchant has the order: one that nobody has paid changed no balance. */
const hasOrder = async ({ ask }: PortalRequest, search: string): Promise<boolean> => {
  const reply = await ask(orders.listByMerchant, { query: { search } })
  return reply.ok && reply.value.orders.some(({ orderId, orderKey }) => [orderId, orderKey].includes(search))
}

/** An order as its pages name it: a card order by its key, a crypto order by its id. */
type NamedOrder = Readonly<{ by: 'order_key' | 'order_id'; name: string }>

/**
 * Renders the way of an order's money: what it changed in the merchant's balances, for a card how the processor settled it, and
 * for crypto its deposits. A deposit that does not count yet has no entry.
 * @param path path of the page
 */
export const readMoney = async (request: PortalRequest, { by, name }: NamedOrder, path: string) => {
  const before = request.query.get('cursor')
  const reply = await request.ask(balanceEntries.listByMerchant, {
    query: { [by]: name, ...(before !== null && { before }) },
  })
  if (!reply.ok) return reply
  const { balanceEntries: rows, nextCursor } = reply.value
  const deposits = await depositsOf(request, by === 'order_id' ? name : '')
  const settlements = await settlementsOf(request, by === 'order_key' ? name : '')
  return {
    ok: true,
    isEmpty: rows.length === 0 && deposits === null,
    sections: html`${deposits} ${settlements} ${entryTable('Entries, newest first', rows)}
    ${pagination(pageLinks(path, request, nextCursor))}`,
  } as const
}

/** Shows the way of an order's money. */
export const showOrder = async (request: PortalRequest): Promise<Answer> => {
  const { session, query } = request
  const orderKey = (query.get('order_key') ?? '').trim()
  const orderId = (query.get('order_id') ?? '').trim()
  if (orderKey === '' && orderId === '') return listEntries(request)
  const order: NamedOrder =
    orderKey === '' ? { by: 'order_id', name: orderId } : { by: 'order_key', name: orderKey }
  const money = await readMoney(request, order, ORDER_PATH)
  if (!money.ok) return { kind: 'error', code: money.code }
  if (money.isEmpty && !(await hasOrder(request, order.name)))
    return { kind: 'error', code: 'resource_not_found' }
  return pageOf(
    portalPage({
      session,
      current: BALANCES_PATH,
      title: `Order ${order.name}`,
      main: html`<h1>Order <code>${order.name}</code></h1>
        <p>The way of its money: how it reached the platform, and what the order changed in your balances.</p>
        ${money.sections}`,
    }),
  )
}
