import { batchOf, queryMany, queryNone, queryOne } from '@causeway/chassis'
import { EntryKind } from '@causeway/contracts'
import { z } from 'zod'
import type { ReserveMovement } from './posting.ts'

/** Kinds of entries by which a plan holds and releases. */
const OWN_KINDS = "('reserve', 'reserve_released')"

export const PlanRow = z.object({
  version: z.number(),
  shareBps: z.number().nullable(),
  days: z.number().nullable(),
  fixedCents: z.number().nullable(),
  currency: z.string().nullable(),
  setAt: z.date(),
})
export type PlanRow = Readonly<z.infer<typeof PlanRow>>

/** Every version of a merchant's plan, in order. */
export const listPlans = queryMany({
  name: 'reserve-plans.list',
  parameters: { merchantId: 'text' },
  text: `
    SELECT version, share_bps, days, fixed_cents, currency, set_at FROM reserve_plans
    WHERE merchant_id = :merchantId ORDER BY version`,
  row: PlanRow,
})

const AccountKey = z.object({ ownerId: z.string(), unit: z.string() })
export type AccountKey = Readonly<z.infer<typeof AccountKey>>

/** Accounts of merchants that have, or had, a plan: with entries that were not considered, a new plan, or a time that has come. */
export const listDue = queryMany({
  name: 'reserves.due',
  parameters: { now: 'timestamptz', limit: 'integer' },
  text: `
    SELECT a.owner_id, a.unit
    FROM (SELECT merchant_id, max(version) AS version FROM reserve_plans GROUP BY merchant_id) AS p
    JOIN relationships AS r USING (merchant_id)
    JOIN books.accounts AS a ON a.owner_id = r.partner_customer_id AND a.balance = 'available'
    JOIN books.balances AS b ON b.account_id = a.id
    LEFT JOIN reserve_accounts AS s ON s.owner_id = a.owner_id AND s.unit = a.unit
    WHERE b.entries > coalesce(s.through, 0) OR s.plan_version IS DISTINCT FROM p.version OR EXISTS (
      SELECT FROM reserves AS d WHERE d.owner_id = a.owner_id AND d.unit = a.unit AND d.due_at <= :now)
    ORDER BY a.id LIMIT :limit`,
  row: AccountKey,
})

/** True for an owner whose merchant has, or had, a plan. */
export const hasPlan = queryOne({
  name: 'reserves.has-plan',
  parameters: { ownerId: 'text' },
  text: `
    SELECT EXISTS (
      SELECT FROM relationships AS r JOIN reserve_plans AS p USING (merchant_id) WHERE r.partner_customer_id = :ownerId
    ) AS found`,
  row: z.object({ found: z.boolean() }),
})

/** The available balance of an owner in a unit; null: it has no entries. `through`: the last entry that was considered. */
export const getAccount = queryOne({
  name: 'reserves.account',
  parameters: { ownerId: 'text', unit: 'text' },
  text: `
    SELECT a.id::text AS account_id, r.merchant_id, b.amount::text AS available, b.entries::text,
      coalesce(s.through, 0)::text AS through
    FROM relationships AS r
    JOIN books.accounts AS a ON a.owner_id = r.partner_customer_id AND a.balance = 'available' AND a.unit = :unit
    JOIN books.balances AS b ON b.account_id = a.id
    LEFT JOIN reserve_accounts AS s ON s.owner_id = a.owner_id AND s.unit = a.unit
    WHERE r.partner_customer_id = :ownerId`,
  row: z.object({
    accountId: z.string(),
    merchantId: z.string(),
    available: z.string(),
    entries: z.string(),
    through: z.string(),
  }),
})

/** The orders of an account's entries after one and up to another, and at most `limit` whose time has come, the oldest first. */
export const listOrdersToConsider = queryMany({
  name: 'reserves.orders',
  parameters: {
    accountId: 'bigint',
    after: 'bigint',
    through: 'bigint',
    ownerId: 'text',
    unit: 'text',
    now: 'timestamptz',
    limit: 'bigint',
  },
  text: `
    SELECT order_ref, bool_or(is_due) AS is_due FROM (
      SELECT coalesce(j.order_key, j.order_id) AS order_ref, false AS is_due
      FROM books.entries AS e JOIN books.journal AS j USING (seq)
      WHERE e.account_id = :accountId AND e.number > :after AND e.number <= :through AND e.kind NOT IN ${OWN_KINDS}
        AND coalesce(j.order_key, j.order_id) IS NOT NULL
      UNION ALL (
        SELECT order_ref, true FROM reserves
        WHERE owner_id = :ownerId AND unit = :unit AND due_at <= :now AND order_ref <> ''
        ORDER BY due_at LIMIT :limit)
    ) AS o GROUP BY order_ref`,
  row: z.object({ orderRef: z.string(), isDue: z.boolean() }),
})

const OrderEntryRow = z.object({
  orderRef: z.string(),
  orderKey: z.string().nullable(),
  orderId: z.string().nullable(),
  source: z.string(),
  kind: EntryKind,
  amount: z.string(),
  availableAt: z.date(),
  paidAt: z.date(),
  isReversal: z.boolean(),
})
export type OrderEntryRow = Readonly<z.infer<typeof OrderEntryRow>>

/** SQL: an entry `e` of the posting `j` of an order, with the fact `f` of that posting. */
const ORDER_ENTRY = `coalesce(j.order_key, j.order_id) AS order_ref, j.order_key, j.order_id, j.source, e.kind,
  e.amount::text, j.effective_at AS available_at, coalesce(f.effective_at, j.effective_at) AS paid_at,
  f.reverses IS NOT NULL AS is_reversal`

/** Every entry of orders in an account, except those by which plans hold and release, in the order of their numbers. */
export const listOrderEntries = queryMany({
  name: 'reserves.order-entries',
  parameters: { accountId: 'bigint', orderRefs: 'text[]' },
  text: `
    SELECT ${ORDER_ENTRY}
    FROM unnest(:orderRefs) AS o (ref)
    CROSS JOIN LATERAL (
      SELECT * FROM books.journal WHERE order_key = o.ref
      UNION ALL
      SELECT * FROM books.journal WHERE order_id = o.ref AND order_key IS NULL
    ) AS j
    JOIN books.entries AS e ON e.seq = j.seq AND e.account_id = :accountId
    LEFT JOIN books.journal AS f ON f.source = j.source AND f.rule = 'fact'
    WHERE e.kind NOT IN ${OWN_KINDS}
    ORDER BY e.number`,
  row: OrderEntryRow,
})

/** The amounts that are held for orders of an owner; an empty reference: by a fixed plan. */
export const listHeld = queryMany({
  name: 'reserves.held',
  parameters: { ownerId: 'text', unit: 'text', orderRefs: 'text[]' },
  text: `
    SELECT order_ref, held::text, movements FROM reserves
    WHERE owner_id = :ownerId AND unit = :unit AND order_ref = ANY (:orderRefs)`,
  row: z.object({ orderRef: z.string(), held: z.string(), movements: z.number() }),
})

/** The amount that a fixed plan of a merchant holds at its other relationships. */
export const getHeldElsewhere = queryOne({
  name: 'reserves.held-elsewhere',
  parameters: { merchantId: 'text', ownerId: 'text', unit: 'text' },
  text: `
    SELECT coalesce(sum(d.held), 0)::text AS held FROM relationships AS r
    JOIN reserves AS d ON d.owner_id = r.partner_customer_id AND d.unit = :unit AND d.order_ref = ''
    WHERE r.merchant_id = :merchantId AND r.partner_customer_id <> :ownerId`,
  row: z.object({ held: z.string() }),
})

/** The amount that is held for an order, or by a fixed plan, after a change. */
export type HeldChange = Readonly<{
  ownerId: string
  unit: string
  orderRef: string
  held: bigint
  movements: number
  dueAt: Date | null
}>

const RESERVES = batchOf<HeldChange>()('reserve', {
  ownerId: ['text', ({ ownerId }) => ownerId],
  unit: ['text', ({ unit }) => unit],
  orderRef: ['text', ({ orderRef }) => orderRef],
  held: ['decimal', ({ held }) => String(held)],
  movements: ['integer', ({ movements }) => movements],
  dueAt: ['time?', ({ dueAt }) => dueAt?.getTime() ?? null],
})
export const heldValues = RESERVES.values

/** Stores what is held now. */
export const upsertHeld = queryNone({
  name: 'reserves.upsert',
  parameters: RESERVES.parameters,
  text: `
    INSERT INTO reserves (${RESERVES.names}) SELECT ${RESERVES.names} FROM ${RESERVES.from('r')}
    ON CONFLICT (owner_id, unit, order_ref) DO UPDATE SET
      held = excluded.held, movements = excluded.movements, due_at = excluded.due_at`,
})

const MOVEMENTS = batchOf<ReserveMovement>()('movement', {
  source: ['text', ({ source }) => source],
  ownerId: ['text', ({ ownerId }) => ownerId],
  unit: ['text', ({ unit }) => unit],
  orderKey: ['text?', ({ orderKey }) => orderKey],
  orderId: ['text?', ({ orderId }) => orderId],
  amount: ['decimal', ({ amount }) => String(amount)],
  effectiveAt: ['time', ({ effectiveAt }) => effectiveAt.getTime()],
})
export const movementValues = MOVEMENTS.values

/** Keeps the contents of postings; a source that is kept already is an error. */
export const insertMovements = queryNone({
  name: 'reserves.insert-movements',
  parameters: MOVEMENTS.parameters,
  text: `
    INSERT INTO reserve_movements (${MOVEMENTS.names}) SELECT ${MOVEMENTS.names} FROM ${MOVEMENTS.from('m')}`,
})

/** The next contents of postings, by their sources. */
export const listMovements = queryMany({
  name: 'reserves.movements',
  parameters: { after: 'text', limit: 'integer' },
  text: `
    SELECT source, owner_id, unit, order_key, order_id, amount::text, effective_at FROM reserve_movements
    WHERE source > :after ORDER BY source LIMIT :limit`,
  row: z.object({
    source: z.string(),
    ownerId: z.string(),
    unit: z.string(),
    orderKey: z.string().nullable(),
    orderId: z.string().nullable(),
    amount: z.string(),
    effectiveAt: z.date(),
  }),
})

/** Keeps the last entry that was considered, and the version of the plan. */
export const setConsidered = queryNone({
  name: 'reserves.set-considered',
  parameters: { ownerId: 'text', unit: 'text', through: 'bigint', version: 'integer' },
  text: `
    INSERT INTO reserve_accounts (owner_id, unit, through, plan_version) VALUES (:ownerId, :unit, :through, :version)
    ON CONFLICT (owner_id, unit) DO UPDATE SET through = excluded.through, plan_version = excluded.plan_version`,
})
