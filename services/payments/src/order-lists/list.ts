import {
  firstIdAt,
  keysetList,
  refuse,
  reply,
  type Cursors,
  type Db,
  type KeysetOrder,
  type OperationRequest,
} from '@causeway/chassis'
import {
  CryptoOrderStatus,
  FiatOrderStatus,
  formatMinorUnits,
  ID_PREFIXES,
  type ListedOrder,
  type orders,
} from '@causeway/contracts'
import * as store from './store.ts'

type Query = OperationRequest<typeof orders.list>['query']
type Filter = Omit<Query, 'limit' | 'cursor'>
type OwnQuery = OperationRequest<typeof orders.listOfPartner>['query']
type Deps = Readonly<{ db: Db; cursors: Cursors }>

/** Maximum orders of each kind that one page of a filtered list reads; the list then continues on the next page. */
const MAX_SCANNED = 500
/** Maximum relationships of a merchant whose orders are listed together. */
const MAX_RELATIONSHIPS = 100

/** An id without its prefix, which orders crypto and card orders together. */
type Suffix = string
type Position = Readonly<{ at: Date; suffix: Suffix }>

const LAST: Position = { at: new Date('9999-12-31T23:59:59.999Z'), suffix: 'z'.repeat(26) }
const suffixOf = (id: string): Suffix => id.slice(id.indexOf('_') + 1)
const PREFIXES: Readonly<Record<store.OrderKind, string>> = {
  crypto: ID_PREFIXES.cryptoOrder,
  card: ID_PREFIXES.fiatOrder,
}

/** Ids have the time of a process, and `created_at` that of the database. */
const MAX_SKEW_MS = 60_000

/** A position before which all orders are that were created before a time. It may have later ones, which do not match. */
const before = (at: Date): Position => ({
  at,
  suffix: suffixOf(firstIdAt('cryptoOrder', at.getTime() + MAX_SKEW_MS)),
})

const orderFrom = (start: Position): KeysetOrder<Position> => ({
  start,
  write: ({ at, suffix }) => [at.toISOString(), suffix],
  read([time = '', suffix]) {
    const at = new Date(time)
    return suffix === undefined || Number.isNaN(at.getTime()) ? null : { at, suffix }
  },
})

/** The kinds of orders that can match: an asset is of crypto orders alone, and each kind has other states. */
const kindsOf = ({ kind, asset, status }: Filter): store.OrderKind[] =>
  (['crypto', 'card'] as const).filter(
    (each) =>
      (kind === undefined || kind === each) &&
      (asset === undefined || each === 'crypto') &&
      (status === undefined ||
        (each === 'crypto' ? CryptoOrderStatus : FiatOrderStatus).safeParse(status).success),
  )

const amountOf = ({ kind, amount, currency }: store.ListedRow): number =>
  Number(kind === 'card' ? formatMinorUnits(Number(amount), currency) : amount)

const matches = (row: store.ListedRow, filter: Filter): boolean =>
  row.isOpened &&
  (filter.partner_id === undefined || row.partnerId === filter.partner_id) &&
  (filter.status === undefined || row.status === filter.status) &&
  (filter.asset === undefined || row.asset === filter.asset) &&
  (filter.currency === undefined || row.currency === filter.currency) &&
  (filter.amount_from === undefined || amountOf(row) >= Number(filter.amount_from)) &&
  (filter.amount_to === undefined || amountOf(row) <= Number(filter.amount_to)) &&
  (filter.since === undefined || row.createdAt.getTime() >= Date.parse(filter.since)) &&
  (filter.until === undefined || row.createdAt.getTime() < Date.parse(filter.until))

export const present = (row: store.ListedRow): ListedOrder => ({
  kind: row.kind,
  order_id: row.id,
  order_key: row.orderKey,
  reference: row.reference,
  status: row.status,
  amount: row.amount,
  currency: row.currency,
  network: row.network,
  asset: row.asset,
  partner_id: row.partnerId,
  partner_customer_id: row.partnerCustomerId,
  customer_id: row.merchantId,
  created_at: row.createdAt.toISOString(),
})

/** The relationships whose orders are read; null: of everyone. */
const relationshipsOf = async (db: Db, filter: Filter): Promise<readonly string[] | null> => {
  const { partner_customer_id: one, customer_id: merchantId } = filter
  if (one !== undefined) return [one]
  if (merchantId === undefined) return null
  const rows = await store.listRelationshipsOfMerchant(db, { merchantId, limit: MAX_RELATIONSHIPS })
  return rows.map((row) => row.partnerCustomerId)
}

const positionOf = ({ createdAt, id }: store.ListedRow): Position => ({ at: createdAt, suffix: suffixOf(id) })

/**
 * Merges what was read of each kind, newest first, up to the first row after which another kind was not read to its end.
 * @param keyOf the order of the rows
 * @returns the rows, and the position after them; null at the end
 */
const merge = (
  read: readonly (readonly store.ListedRow[])[],
  limit: number,
  keyOf: (row: store.ListedRow) => string,
) => {
  const ends = read.flatMap((rows) => (rows.length < limit ? [] : rows.slice(-1)))
  const [horizon = null] = ends.toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1))
  const rows = read
    .flat()
    .filter((row) => horizon === null || keyOf(row) >= keyOf(horizon))
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1))
  return { rows, after: horizon && positionOf(horizon) }
}

type Asked = Readonly<{
  /** Name of the list for its cursors, without the filter. */
  name: string
  limit: number
  cursor: string | null
  filter: Filter & Readonly<{ search?: string | undefined }>
  isByTime: boolean
  read: (
    asked: Readonly<{ kind: store.OrderKind; beforeAt: Date; beforeId: string; limit: number }>,
  ) => Promise<store.ListedRow[]>
}>

/** Reads one page of a list, newest first. @returns its rows and the next cursor; null for an invalid cursor */
const readPage = async (cursors: Cursors, { name, limit, cursor, filter, isByTime, read }: Asked) => {
  const start = filter.until === undefined ? LAST : before(new Date(filter.until))
  const list = keysetList(cursors, {
    name: `${name}:${JSON.stringify(Object.entries(filter).toSorted())}`,
    order: orderFrom(start),
  })
  const from = list.after(cursor)
  if (!from) return null
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const scanned = isFiltered ? MAX_SCANNED : limit + 1
  const readKinds = await Promise.all(
    kindsOf(filter).map((kind) =>
      read({ kind, beforeAt: from.at, beforeId: `${PREFIXES[kind]}_${from.suffix}`, limit: scanned }),
    ),
  )
  const { rows, after } = merge(readKinds, scanned, ({ createdAt, id }) =>
    isByTime ? `${createdAt.toISOString()} ${suffixOf(id)}` : suffixOf(id),
  )
  const found = rows.filter((row) => matches(row, filter))
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  const isPastSince =
    after !== null &&
    filter.since !== undefined &&
    after.at.getTime() < Date.parse(filter.since) - MAX_SKEW_MS
  const next = found.length > limit && last !== undefined ? positionOf(last) : isPastSince ? null : after
  return { rows: shown, next: list.cursorAfter(next) }
}

/** One page of the orders of all partners, newest first (decisions §45). */
export const listOrders = async ({ db, cursors }: Deps, { limit, cursor, ...filter }: Query) => {
  const partnerCustomerIds = await relationshipsOf(db, filter)
  const { partner_id: partnerId, status } = filter
  const page = await readPage(cursors, {
    ...{ name: 'all-orders', limit, cursor, filter, isByTime: partnerCustomerIds !== null },
    read: (asked) => store.listNewest(db, { ...asked, partnerCustomerIds, partnerId, status }),
  })
  if (page === null) return refuse('invalid_cursor')
  return reply({ orders: page.rows.map(present), next_cursor: page.next })
}

/** One page of the orders of a partner or a merchant, newest first (decisions §61). Null: an invalid cursor. */
export const listOwnOrders = (
  { db, cursors }: Deps,
  owner: store.Owner,
  { limit, cursor, ...filter }: OwnQuery,
) =>
  readPage(cursors, {
    ...{ name: `orders-of-${JSON.stringify(owner)}`, limit, cursor, filter, isByTime: false },
    read: ({ kind, beforeId, limit: scanned }) =>
      store.listOwn(db, owner, { kind, beforeId, limit: scanned, search: filter.search }),
  })

type PartnerQuery = Readonly<{
  limit: number
  before: string | null
  status?: OwnQuery['status']
  reference?: string | undefined
  created_since?: string | undefined
  created_until?: string | undefined
}>

/**
 * One page of the ids of a partner's orders of one kind, newest first (decisions §62). It has those of every customer;
 * the reader leaves out those that the partner may not see. Null: an invalid cursor.
 */
export const listIdsOfPartner = async (
  deps: Deps,
  { partnerId, kind }: Readonly<{ partnerId: string; kind: store.OrderKind }>,
  { limit, before: cursor, status, reference, created_since: since, created_until: until }: PartnerQuery,
) => {
  const filter = { kind, status, search: reference, since, until }
  const page = await listOwnOrders(deps, { kind: 'partner', partnerId }, { limit, cursor, ...filter })
  if (page === null) return null
  const found = page.rows.filter((row) => reference === undefined || row.reference === reference)
  return { ids: found.map(({ id }) => id), next: page.next }
}
