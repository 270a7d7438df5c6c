import { queryMany, type Queryable } from '@causeway/chassis'
import { z } from 'zod'

const ListedRow = z.object({
  kind: z.enum(['crypto', 'card']),
  id: z.string(),
  orderKey: z.string().nullable(),
  reference: z.string().nullable(),
  status: z.string(),
  amount: z.string(),
  currency: z.string(),
  network: z.string().nullable(),
  asset: z.string().nullable(),
  partnerId: z.string(),
  partnerCustomerId: z.string(),
  merchantId: z.string(),
  createdAt: z.date(),
  /** False for a card order whose checkout is not open. It is never shown. */
  isOpened: z.boolean(),
})
export type ListedRow = Readonly<z.infer<typeof ListedRow>>
export type OrderKind = ListedRow['kind']

/** Columns of each kind of order, and the states that few orders are in, which have an index. */
const KINDS = {
  crypto: {
    columns: `'crypto' AS kind, o.id, NULL::text AS order_key, o.reference, o.status, o.fiat_amount AS amount, o.currency,
    o.network, o.asset, o.partner_id, o.partner_customer_id, o.merchant_id, o.created_at, true AS is_opened`,
    table: 'crypto_orders',
    rare: ['underpaid', 'cancelled', 'refunded'],
  },
  card: {
    columns: `'card' AS kind, o.id, o.order_key::text, o.merchant_reference AS reference, o.status,
    o.total_cents::text AS amount, o.currency, NULL::text AS network, NULL::text AS asset, o.partner_id,
    o.partner_customer_id, o.merchant_id, o.created_at, o.processor_order_id IS NOT NULL AS is_opened`,
    table: 'fiat_orders',
    rare: ['cancelled', 'refunded', 'chargeback'],
  },
} as const

const page = { beforeId: 'text', limit: 'integer' } as const

/** Orders of an owner by id, key or reference. An order whose reference is also its key is found once. */
const searchOf = (kind: OrderKind, isOwned: string): string => {
  const { columns, table } = KINDS[kind]
  const select = (condition: string) => `
    (SELECT ${columns} FROM ${table} o
     WHERE ${isOwned} AND ${condition} AND o.id < :beforeId ORDER BY o.id DESC LIMIT :limit)`
  const conditions =
    kind === 'crypto'
      ? ['o.id = :search', 'o.reference = :search']
      : [
          'o.id = :search',
          'o.order_key = :orderKey',
          'o.merchant_reference = :search AND o.order_key IS DISTINCT FROM :orderKey',
        ]
  return `${conditions.map(select).join(' UNION ALL ')} ORDER BY id DESC LIMIT :limit`
}

/** The statements of one kind of order, each newest first, before an id. */
const statementsOf = (kind: OrderKind) => {
  const { columns, table, rare } = KINDS[kind]
  const select = (condition: string) => `
    SELECT ${columns} FROM ${table} o WHERE ${condition} o.id < :beforeId ORDER BY o.id DESC LIMIT :limit`
  const rareStates = rare.map((status) => `'${status}'`).join(', ')
  return {
    newest: queryMany({
      name: `orders.list-newest-${kind}`,
      parameters: page,
      text: select(''),
      row: ListedRow,
    }),
    ofPartner: queryMany({
      name: `orders.list-newest-${kind}-of-partner`,
      parameters: { ...page, partnerId: 'text' },
      text: select('o.partner_id = :partnerId AND'),
      row: ListedRow,
    }),
    ofMerchant: queryMany({
      name: `orders.list-newest-${kind}-of-merchant`,
      parameters: { ...page, merchantId: 'text' },
      text: select('o.merchant_id = :merchantId AND'),
      row: ListedRow,
    }),
    ofRareStatus: queryMany({
      name: `orders.list-newest-${kind}-of-rare-status`,
      parameters: { ...page, status: 'text' },
      text: select(`o.status = :status AND o.status IN (${rareStates}) AND`),
      row: ListedRow,
    }),
    /** In the order of their creation, then by id, because customers have that index. */
    ofCustomers: queryMany({
      name: `orders.list-newest-${kind}-of-customers`,
      parameters: { ...page, beforeAt: 'timestamptz', partnerCustomerIds: 'text[]' },
      text: `
    SELECT o.* FROM unnest(:partnerCustomerIds) AS asked (id)
    CROSS JOIN LATERAL (
      SELECT ${columns} FROM ${table} o
      WHERE o.partner_customer_id = asked.id AND (o.created_at, o.id) < (:beforeAt, :beforeId)
      ORDER BY o.created_at DESC, o.id DESC LIMIT :limit) AS o
    ORDER BY o.created_at DESC, o.id DESC LIMIT :limit`,
      row: ListedRow,
    }),
  }
}

const STATEMENTS = { crypto: statementsOf('crypto'), card: statementsOf('card') }

const searched = { ...page, search: 'text' } as const
/** Searches among the orders of one owner, who cannot name those of others. */
const SEARCHES = {
  partner: {
    crypto: queryMany({
      name: 'orders.list-crypto-of-partner-by-search',
      parameters: { ...searched, partnerId: 'text' },
      text: searchOf('crypto', 'o.partner_id = :partnerId'),
      row: ListedRow,
    }),
    card: queryMany({
      name: 'orders.list-card-of-partner-by-search',
      parameters: { ...searched, partnerId: 'text', orderKey: 'bigint?' },
      text: searchOf('card', 'o.partner_id = :partnerId'),
      row: ListedRow,
    }),
  },
  merchant: {
    crypto: queryMany({
      name: 'orders.list-crypto-of-merchant-by-search',
      parameters: { ...searched, merchantId: 'text' },
      text: searchOf('crypto', 'o.merchant_id = :merchantId'),
      row: ListedRow,
    }),
    card: queryMany({
      name: 'orders.list-card-of-merchant-by-search',
      parameters: { ...searched, merchantId: 'text', orderKey: 'bigint?' },
      text: searchOf('card', 'o.merchant_id = :merchantId'),
      row: ListedRow,
    }),
  },
}

const isRare = (kind: OrderKind, status: string): boolean =>
  (KINDS[kind].rare as readonly string[]).includes(status)

type Scan = Readonly<{
  kind: OrderKind
  beforeAt: Date
  beforeId: string
  limit: number
  partnerId: string | undefined
  status: string | undefined
  /** Relationships whose orders are read; null: of everyone. */
  partnerCustomerIds: readonly string[] | null
}>

/**
 * Reads orders of one kind, newest first, by the filter that has an index: the customers, the partner or a rare state. Other
 * filters are for the caller, which reads a bounded number of orders.
 */
export const listNewest = (
  db: Queryable,
  { kind, partnerId, status, partnerCustomerIds, beforeAt, ...asked }: Scan,
): Promise<ListedRow[]> => {
  const statements = STATEMENTS[kind]
  if (partnerCustomerIds !== null)
    return statements.ofCustomers(db, { ...asked, beforeAt, partnerCustomerIds: [...partnerCustomerIds] })
  if (partnerId !== undefined) return statements.ofPartner(db, { ...asked, partnerId })
  if (status !== undefined && isRare(kind, status)) return statements.ofRareStatus(db, { ...asked, status })
  return statements.newest(db, asked)
}

/** Whose orders a list has. */
export type Owner = Readonly<
  { kind: 'partner'; partnerId: string } | { kind: 'merchant'; merchantId: string }
>

/** Reads an order key; null for any other text. */
const orderKeyOf = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null)

type OwnScan = Pick<Scan, 'kind' | 'beforeId' | 'limit'> & Readonly<{ search: string | undefined }>

/** Reads orders of one kind of an owner, newest first. @param search an order's id, key or reference */
export const listOwn = (
  db: Queryable,
  owner: Owner,
  { kind, search, ...asked }: OwnScan,
): Promise<ListedRow[]> => {
  if (owner.kind === 'merchant') {
    const { merchantId } = owner
    if (search === undefined) return STATEMENTS[kind].ofMerchant(db, { ...asked, merchantId })
    if (kind === 'crypto') return SEARCHES.merchant.crypto(db, { ...asked, merchantId, search })
    return SEARCHES.merchant.card(db, { ...asked, merchantId, search, orderKey: orderKeyOf(search) })
  }
  const { partnerId } = owner
  if (search === undefined) return STATEMENTS[kind].ofPartner(db, { ...asked, partnerId })
  if (kind === 'crypto') return SEARCHES.partner.crypto(db, { ...asked, partnerId, search })
  return SEARCHES.partner.card(db, { ...asked, partnerId, search, orderKey: orderKeyOf(search) })
}

/** Those of these relationships that are active and the partner's. */
export const listActiveRelationships = queryMany({
  name: 'orders.list-active-relationships',
  parameters: { partnerId: 'text', partnerCustomerIds: 'text[]' },
  text: `
    SELECT partner_customer_id FROM relationships
    WHERE partner_customer_id = ANY (:partnerCustomerIds) AND partner_id = :partnerId AND status = 'active'`,
  row: z.object({ partnerCustomerId: z.string() }),
})

/** The relationships of a merchant, as projected. */
export const listRelationshipsOfMerchant = queryMany({
  name: 'orders.list-relationships-of-merchant',
  parameters: { merchantId: 'text', limit: 'integer' },
  text: 'SELECT partner_customer_id FROM relationships WHERE merchant_id = :merchantId LIMIT :limit',
  row: z.object({ partnerCustomerId: z.string() }),
})
