import { newIdAt, type Clock, type Logger, type Transaction } from '@causeway/chassis'
import type { Network } from '@causeway/contracts'
import { listDepositsOfOrders, type KeptDeposit } from '../crypto-orders/deposits-store.ts'
import { orderEvent } from '../crypto-orders/events.ts'
import type { OrderLinks } from '../crypto-orders/order.ts'
import type { LockedOrder } from '../crypto-orders/store.ts'
import { keyOf, type Entry } from './deposit-page.ts'
import { locate, logReverted, logUnknown, validEntries, type Located } from './entries.ts'
import { applyEntry, type Account, type Change } from './fold.ts'
import type { Tolerance } from './settlement.ts'
import { recordSplits } from './record-splits.ts'
import { lockOrders, lockOrdersByAddress, recordReversals, updateSettledOrders } from './store.ts'
import { lockStrays, type Stray } from './stray-store.ts'
import { ownEntries, settleStrays } from './settle-strays.ts'

export type SettlementContext = Readonly<{
  clock: Clock
  log: Logger
  /** Confirmations from which on a deposit counts. */
  confirmations: Readonly<Record<Network, number>>
  tolerance: Tolerance
  links: OrderLinks
}>

/** Result of a page: the changed orders, and what to emit and record. */
type Folded = Readonly<{
  accounts: ReadonlyMap<string, Account>
  changes: readonly Change[]
  reversals: readonly KeptDeposit[]
}>

/** Every deposit of these locked orders, by order. */
export const openAccounts = async (
  tx: Transaction,
  orders: readonly LockedOrder[],
): Promise<Map<string, Account>> => {
  if (orders.length === 0) return new Map()
  const kept = await listDepositsOfOrders(tx, { orderIds: orders.map((order) => order.id) })
  const byOrder = Map.groupBy(kept, (deposit) => deposit.orderId)
  return new Map(
    orders.map((order) => {
      const deposits = new Map((byOrder.get(order.id) ?? []).map((deposit) => [keyOf(deposit), deposit]))
      return [order.id, { order, deposits }]
    }),
  )
}

/** Applies the entries one by one, so that how the feed is cut into pages changes nothing. */
const foldAll = (
  opened: ReadonlyMap<string, Account>,
  entries: readonly Located[],
  { confirmations, tolerance }: SettlementContext,
  now: Date,
): Folded => {
  const accounts = new Map(opened)
  const changes: Change[] = []
  const reversals: KeptDeposit[] = []
  for (const entry of entries) {
    const account = accounts.get(entry.orderId)
    if (!account) continue
    const depth = confirmations[entry.network]
    const applied = applyEntry(account, entry, { depth, tolerance, now })
    accounts.set(entry.orderId, applied.account)
    changes.push(...applied.changes)
    reversals.push(...applied.reversals)
  }
  return { accounts, changes, reversals }
}

const emitChange = (
  tx: Transaction,
  { type, order: locked, deposit }: Change,
  now: Date,
  links: OrderLinks,
) => {
  const { partnerSees, ...order } = locked
  const eventId = newIdAt('event', now.getTime())
  tx.emit(orderEvent({ eventId, type, order, deposit, partnerSees, now, links }))
}

const recordReverted = async (tx: Transaction, log: Logger, reversals: readonly KeptDeposit[], now: Date) => {
  if (reversals.length === 0) return
  await recordReversals(tx, reversals, now)
  for (const reversal of reversals) logReverted(reversal, log)
}

/** Settles orders by what counts now, and keeps their deposits. */
export const settleEntries = async (
  tx: Transaction,
  context: SettlementContext,
  entries: readonly Located[],
  opened: ReadonlyMap<string, Account>,
) => {
  const { log, links } = context
  const now = context.clock.now()
  const { accounts, changes, reversals } = foldAll(opened, entries, context, now)
  for (const change of changes) emitChange(tx, change, now, links)
  await recordReverted(tx, log, reversals, now)
  const settled = [...accounts.values()].map(({ order }) => order)
  const changed = settled.filter(({ id, status, received }) => {
    const before = opened.get(id)?.order
    return before?.status !== status || before.received !== received
  })
  if (changed.length > 0) await updateSettledOrders(tx, changed, now)
  await recordSplits(tx, log, accounts.values(), opened, now)
}

/** The orders of these entries, locked: those at their addresses, and those that strays were applied to. */
const lockOrdersOf = async (
  tx: Transaction,
  entries: readonly Entry[],
  strays: readonly Stray[],
): Promise<LockedOrder[]> => {
  const orders = await lockOrdersByAddress(tx, {
    networks: entries.map((entry) => entry.network),
    addresses: entries.map((entry) => entry.address),
  })
  const locked = new Set(orders.map(({ id }) => id))
  const orderIds = strays.flatMap(({ orderId }) => (orderId === null || locked.has(orderId) ? [] : [orderId]))
  return orderIds.length === 0 ? orders : [...orders, ...(await lockOrders(tx, { orderIds }))]
}

/**
 * Takes in what a chain reports of deposits, within a transaction: keeps each where the chain has it now, settles their
 * orders by the fold over what counts (decisions §20), splits them (decisions §52) and emits the events. What names no
 * order is listed for staff. An entry that cannot be stored, or that is not ours, is passed over and logged.
 */
export const settleDeposits = async (
  tx: Transaction,
  context: SettlementContext,
  entries: readonly Entry[],
): Promise<void> => {
  const valid = validEntries(entries, context.log)
  if (valid.length === 0) return
  const strays = await lockStrays(tx, valid)
  const accounts = await openAccounts(tx, await lockOrdersOf(tx, valid, strays))
  const known = new Map(strays.map((stray) => [keyOf(stray), stray]))
  const { located, others } = locate(valid, accounts, known)
  if (located.length > 0) await settleEntries(tx, context, located, accounts)
  const fresh = others.filter((entry) => !known.has(keyOf(entry)))
  const own = fresh.length === 0 ? new Set() : await ownEntries(tx, fresh)
  for (const entry of fresh) if (!own.has(entry)) logUnknown(entry, context.log)
  await settleStrays(
    tx,
    context,
    others.filter((entry) => known.has(keyOf(entry)) || own.has(entry)),
    known,
  )
}
