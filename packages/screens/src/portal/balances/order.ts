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

/**
 * Shows the way of an order's money: what it changed in the balances, for a card how the processor settled it, and for crypto
 * its deposits. A deposit that does not count yet has no entry.
 */
export const showOrder = async (request: PortalRequest): Promise<Answer> => {
  const { ask, session, query } = request
  const orderKey = (query.get('order_key') ?? '').trim()
  const orderId = (query.get('order_id') ?? '').trim()
  const before = query.get('cursor')
  if (orderKey === '' && orderId === '') return listEntries(request)
  const reply = await ask(balanceEntries.listByMerchant, {
    query: {
      ...(orderKey === '' ? { order_id: orderId } : { order_key: orderKey }),
      ...(before !== null && { before }),
    },
  })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { balanceEntries: rows, nextCursor } = reply.value
  const deposits = await depositsOf(request, orderKey === '' ? orderId : '')
  const name = orderKey === '' ? orderId : orderKey
  if (rows.length === 0 && deposits === null && !(await hasOrder(request, name)))
    return { kind: 'error', code: 'resource_not_found' }
  return pageOf(
    portalPage({
      session,
      current: BALANCES_PATH,
      title: `Order ${name}`,
      main: html`<h1>Order <code>${name}</code></h1>
        <p>The way of its money: how it reached the platform, and what the order changed in your balances.</p>
        ${deposits} ${await settlementsOf(request, orderKey)} ${entryTable('Entries, newest first', rows)}
        ${pagination(pageLinks(ORDER_PATH, request, nextCursor))}`,
    }),
  )
}
