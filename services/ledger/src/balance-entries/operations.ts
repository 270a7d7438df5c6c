import {
  implement,
  keysetList,
  refuse,
  reply,
  type Cursors,
  type Db,
  type Implementation,
} from '@causeway/chassis'
import { balanceEntries, type BalanceEntry, type EntryQuery } from '@causeway/contracts'
import { payoutSources } from '../payouts/payout.ts'
import type { Relationships } from '../relationships/relationships.ts'
import { listNameOf, NEWEST_ENTRY_FIRST, pageOfQuery, presentEntry } from './entries.ts'
import * as store from './store.ts'

type Page = ReturnType<typeof pageOfQuery>
type OrderPage = Page &
  Readonly<{ order: string; orderKey: string; orderId: string; sources: readonly string[] }>
/** Reads the entries of one owner. */
type Reads = Readonly<{
  list: (page: Page) => Promise<store.EntryRow[]>
  listOfOrder: (page: OrderPage) => Promise<store.EntryRow[]>
}>

const rowsOf = ({ list, listOfOrder }: Reads, query: EntryQuery, page: Page): Promise<store.EntryRow[]> => {
  const { payout_id: payoutId, order_key: orderKey, order_id: orderId } = query
  const order = orderId ?? orderKey
  if (payoutId === undefined)
    return order === undefined
      ? list(page)
      : listOfOrder({ ...page, order, orderKey: orderKey ?? '', orderId: orderId ?? '', sources: [] })
  // A payout moves the money of no order.
  return order === undefined
    ? listOfOrder({ ...page, order: '', orderKey: '', orderId: '', sources: payoutSources(payoutId) })
    : Promise.resolve([])
}

/** A merchant sees which relationship each entry belongs to. */
export const presentForMerchant = (row: store.EntryRow) => {
  const { entry_id, balance_after, order_key, order_id, payout_id, effective_at, recorded_at, ...same } =
    presentEntry(row)
  return {
    entryId: entry_id,
    partnerCustomerId: row.ownerId,
    ...same,
    balanceAfter: balance_after,
    orderKey: order_key,
    orderId: order_id,
    payoutId: payout_id,
    effectiveAt: effective_at,
    recordedAt: recorded_at,
  }
}

/** `ledger.balance-entries` (decisions §48). */
export const balanceEntryOperations = (
  db: Db,
  { relationships, cursors }: Readonly<{ relationships: Relationships; cursors: Cursors }>,
): Implementation[] => {
  const read = async <Item>(
    owner: string,
    query: EntryQuery,
    present: (row: store.EntryRow) => Item,
    reads: Reads,
  ) => {
    const list = keysetList(cursors, { name: listNameOf(owner, query), order: NEWEST_ENTRY_FIRST })
    const position = list.after(query.before)
    if (position === null) return null
    const rows = await rowsOf(reads, query, pageOfQuery(query, position))
    return list.page({ rows, limit: query.limit, present, positionOf: (row) => row })
  }
  const answer = (page: Readonly<{ items: BalanceEntry[]; nextCursor: string | null }> | null) =>
    page === null
      ? refuse('invalid_cursor')
      : reply({ balance_entries: page.items, next_cursor: page.nextCursor })

  return implement(balanceEntries, {
    async list({ caller: { partnerId }, params: { customerId }, query }) {
      const customer = { partnerId, partnerCustomerId: customerId }
      const refusal = await relationships.refuseUngranted(customer, 'wallets')
      if (refusal) return refusal
      return answer(
        await read(customerId, query, presentEntry, {
          list: (page) => store.listEntries(db, { ...customer, ...page }),
          listOfOrder: (page) => store.listOrderEntries(db, { ...customer, ...page }),
        }),
      )
    },

    async listOwn({ caller: { partnerId }, query }) {
      return answer(
        await read(partnerId, query, presentEntry, {
          list: (page) => store.listPartnerEntries(db, { partnerId, ...page }),
          listOfOrder: (page) => store.listPartnerOrderEntries(db, { partnerId, ...page }),
        }),
      )
    },

    async listByMerchant({ caller: { merchantId }, query }) {
      const page = await read(merchantId, query, presentForMerchant, {
        list: (each) => store.listMerchantEntries(db, { merchantId, ...each }),
        listOfOrder: (each) => store.listMerchantOrderEntries(db, { merchantId, ...each }),
      })
      if (page === null) return refuse('invalid_cursor')
      return reply({ balanceEntries: page.items, nextCursor: page.nextCursor })
    },
  })
}
