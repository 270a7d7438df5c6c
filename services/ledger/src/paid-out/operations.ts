import {
  implement,
  keysetList,
  NEWEST_FIRST,
  refuse,
  reply,
  type Cursors,
  type Db,
  type Implementation,
  type KeysetOrder,
} from '@causeway/chassis'
import { paidOut, type PayoutSummary } from '@causeway/contracts'
import { presentForMerchant } from '../balance-entries/operations.ts'
import { presentEntry } from '../balance-entries/entries.ts'
import { presentAmount } from '../posting/amounts.ts'
import type { Relationships } from '../relationships/relationships.ts'
import type { PayoutRow } from '../payouts/announced-store.ts'
import {
  isToMerchant,
  presentCustomerPayout,
  presentPartnerPayout,
  presentToMerchant,
} from '../payouts/present.ts'
import * as store from './store.ts'
import { readSummaries } from '../payouts/summary.ts'

/** For `WHERE number < :number ORDER BY number DESC`. */
const BY_NUMBER: KeysetOrder<Readonly<{ number: string }>> = {
  start: { number: '9223372036854775807' },
  write: ({ number }) => [number],
  read: ([number = '']) => (/^\d{1,19}$/.test(number) ? { number } : null),
}

type PageQuery = Readonly<{ limit: number; before: string | null }>
/** Pages of payouts and of their entries. */
const createPages = (db: Db, cursors: Cursors) => {
  const withSummaries = async <Item>(
    rows: readonly PayoutRow[],
    presentWith: (row: PayoutRow, summary: PayoutSummary) => Item,
  ): Promise<Item[]> => {
    const summaries = await readSummaries(db, rows)
    return rows.flatMap((row) => {
      const summary = summaries.get(row.payoutId)
      return summary === undefined ? [] : [presentWith(row, summary)]
    })
  }

  const pageOf = async <Item>(
    owner: string,
    { limit, before }: PageQuery,
    read: (page: Readonly<{ at: Date; id: string; limit: number }>) => Promise<PayoutRow[]>,
    presentWith: (row: PayoutRow, summary: PayoutSummary) => Item,
  ) => {
    const list = keysetList(cursors, { name: `payouts-of:${owner}`, order: NEWEST_FIRST })
    const after = list.after(before)
    if (after === null) return null
    const rows = await read({ ...after, limit: limit + 1 })
    const positionOf = (row: PayoutRow) => ({ at: row.createdAt, id: row.payoutId })
    const { items, nextCursor } = list.page({ rows, limit, present: (row) => row, positionOf })
    return { items: await withSummaries(items, presentWith), nextCursor }
  }

  const entriesOf = async <Item>(
    owner: string,
    { limit, before }: PageQuery,
    read: (page: Readonly<{ number: bigint; limit: number }>) => Promise<store.PaidEntryRow[]>,
    presentRow: (row: store.PaidEntryRow) => Item,
  ) => {
    const list = keysetList(cursors, { name: `payout-entries:${owner}`, order: BY_NUMBER })
    const after = list.after(before)
    if (after === null) return null
    const rows = await read({ number: BigInt(after.number), limit: limit + 1 })
    return list.page({ rows, limit, present: presentRow, positionOf: (row) => row })
  }

  return { withSummaries, pageOf, entriesOf }
}

type Reads = Readonly<{ relationships: Relationships; cursors: Cursors }>

/** `ledger.paid-out` (decisions §48, §49). */
export const paidOutOperations = (db: Db, { relationships, cursors }: Reads): Implementation[] => {
  const { withSummaries, pageOf, entriesOf } = createPages(db, cursors)

  /** Returns a payout of the partner, or why it may not read it. */
  const ofPartner = async (partnerId: string, payoutId: string) => {
    const row = await store.getOfPartner(db, { partnerId, payoutId })
    if (row === null) return { refusal: refuse('resource_not_found') } as const
    if (!isToMerchant(row)) return { row } as const
    const customer = { partnerId, partnerCustomerId: row.ownerId }
    const refusal = await relationships.refuseUngranted(customer, 'payouts')
    return refusal === null ? ({ row } as const) : ({ refusal } as const)
  }

  return implement(paidOut, {
    async list({ caller: { partnerId }, params: { customerId }, query }) {
      const customer = { partnerId, partnerCustomerId: customerId }
      const refusal = await relationships.refuseUngranted(customer, 'payouts')
      if (refusal) return refusal
      const read = (page: Readonly<{ at: Date; id: string; limit: number }>) =>
        store.listOfCustomer(db, { ...customer, ...page })
      const page = await pageOf(customerId, query, read, presentCustomerPayout)
      if (page === null) return refuse('invalid_cursor')
      return reply({ payouts: page.items, next_cursor: page.nextCursor })
    },

    async listOwn({ caller: { partnerId }, query }) {
      const read = (page: Readonly<{ at: Date; id: string; limit: number }>) =>
        store.listOfEarnings(db, { partnerId, ...page })
      const page = await pageOf(partnerId, query, read, presentPartnerPayout)
      if (page === null) return refuse('invalid_cursor')
      return reply({ payouts: page.items, next_cursor: page.nextCursor })
    },

    async get({ caller: { partnerId }, params: { payoutId } }) {
      const found = await ofPartner(partnerId, payoutId)
      if ('refusal' in found) return found.refusal
      const [payout] = await withSummaries([found.row], (row, summary) =>
        isToMerchant(row) ? presentCustomerPayout(row, summary) : presentPartnerPayout(row, summary),
      )
      return payout === undefined ? refuse('resource_not_found') : reply({ payout })
    },

    async listEntries({ caller: { partnerId }, params: { payoutId }, query }) {
      const found = await ofPartner(partnerId, payoutId)
      if ('refusal' in found) return found.refusal
      const page = await entriesOf(
        payoutId,
        query,
        (each) => store.listEntriesOfPartner(db, { partnerId, payoutId, ...each }),
        (row) => ({
          ...presentEntry(row),
          payout_id: payoutId,
          paid_amount: presentAmount(row.unit, row.paidAmount),
        }),
      )
      if (page === null) return refuse('invalid_cursor')
      return reply({ balance_entries: page.items, next_cursor: page.nextCursor })
    },

    async listByMerchant({ caller: { merchantId }, query }) {
      const read = (page: Readonly<{ at: Date; id: string; limit: number }>) =>
        store.listOfMerchant(db, { merchantId, ...page })
      const page = await pageOf(merchantId, query, read, presentToMerchant)
      if (page === null) return refuse('invalid_cursor')
      return reply({ payouts: page.items, nextCursor: page.nextCursor })
    },

    async getByMerchant({ caller: { merchantId }, params: { payoutId } }) {
      const row = await store.getOfMerchant(db, { merchantId, payoutId })
      const [payout] = row === null ? [] : await withSummaries([row], presentToMerchant)
      return payout === undefined ? refuse('resource_not_found') : reply({ payout })
    },

    async listEntriesByMerchant({ caller: { merchantId }, params: { payoutId }, query }) {
      if ((await store.getOfMerchant(db, { merchantId, payoutId })) === null)
        return refuse('resource_not_found')
      const page = await entriesOf(
        payoutId,
        query,
        (each) => store.listEntriesOfMerchant(db, { merchantId, payoutId, ...each }),
        (row) => ({
          ...presentForMerchant(row),
          payoutId,
          paidAmount: presentAmount(row.unit, row.paidAmount),
        }),
      )
      if (page === null) return refuse('invalid_cursor')
      return reply({ balanceEntries: page.items, nextCursor: page.nextCursor })
    },
  })
}
