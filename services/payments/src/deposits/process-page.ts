import {
  metrics,
  newId,
  newIdAt,
  type Clock,
  type Db,
  type Logger,
  type Transaction,
} from '@causeway/chassis'
import { CONFIRMATION_DEPTHS, type Deposit, type DepositPage } from '@causeway/rails'
import { orderEvent } from '../crypto-orders/events.ts'
import { latePaymentEvent } from '../late-payments/domain.ts'
import { insertLatePayment, revertLatePayments } from '../late-payments/store.ts'
import { advanceFeed } from './chain-feed-store.ts'
import { keyOf, newEntries } from './deposit-page.ts'
import { locate, validEntries, type Located } from './entries.ts'
import { applyEntry, type Account, type Change } from './fold.ts'
import type { Tolerance } from './settlement.ts'
import {
  keepDeposits,
  listDepositsOfOrders,
  lockOrdersByAddress,
  recordReversals,
  updateSettledOrders,
  type KeptDeposit,
} from './store.ts'

const late = metrics.counter(
  'causeway_late_payments_total',
  'Deposits that came after the end of their order',
)

type Dependencies = Readonly<{
  db: Db
  clock: Clock
  log: Logger
  holder: string
  tolerance: Tolerance
  publicBaseUrl: string
}>

const reverted = metrics.counter(
  'causeway_deposits_reverted_total',
  'Counted deposits that their chain has taken back',
)

/** What a page did: the orders after it, and what is to be told and recorded. */
type Folded = Readonly<{
  accounts: ReadonlyMap<string, Account>
  changes: readonly Change[]
  reversals: readonly KeptDeposit[]
}>

/** Every deposit of these orders, by order. */
const openAccounts = async (tx: Transaction, entries: readonly Deposit[]): Promise<Map<string, Account>> => {
  const orders = await lockOrdersByAddress(tx, {
    networks: entries.map((entry) => entry.network),
    addresses: entries.map((entry) => entry.address),
  })
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
  { tolerance, now }: Readonly<{ tolerance: Tolerance; now: Date }>,
): Folded => {
  const accounts = new Map(opened)
  const changes: Change[] = []
  const reversals: KeptDeposit[] = []
  for (const entry of entries) {
    const account = accounts.get(entry.orderId)
    if (!account) continue
    const depth = CONFIRMATION_DEPTHS[entry.network]
    const applied = applyEntry(account, entry, { depth, tolerance, now })
    accounts.set(entry.orderId, applied.account)
    changes.push(...applied.changes)
    reversals.push(...applied.reversals)
  }
  return { accounts, changes, reversals }
}

/** Deposits that count for an order which has ended without them: money that pays for nothing. */
const lateDepositsOf = ({ order, deposits }: Account): KeptDeposit[] =>
  order.status === 'expired' || order.status === 'cancelled' || order.status === 'refunded'
    ? [...deposits.values()].filter(({ countedAt, isLate }) => countedAt !== null && !isLate)
    : []

/** Records money that pays for nothing, for staff: as a late payment with its event, in the metrics and in the log. */
const recordLate = async (tx: Transaction, { log }: Dependencies, deposit: KeptDeposit, now: Date) => {
  const row = await insertLatePayment(tx, newId('latePayment'), deposit, now)
  tx.emit(latePaymentEvent(newIdAt('event', now.getTime()), row))
  late.inc()
  log.warn(
    { event: 'deposit.late', latePaymentId: row.id, orderId: row.orderId },
    'Deposit arrived after the end of its order',
  )
}

const emitChange = (tx: Transaction, { type, order: locked, deposit }: Change, now: Date, base: string) => {
  const { partnerSees, ...order } = locked
  const eventId = newIdAt('event', now.getTime())
  tx.emit(orderEvent({ eventId, type, order, deposit, partnerSees, now, publicBaseUrl: base }))
}

const recordReverted = async (tx: Transaction, log: Logger, reversals: readonly KeptDeposit[], now: Date) => {
  if (reversals.length === 0) return
  await recordReversals(tx, reversals, now)
  await revertLatePayments(tx, reversals, now)
  for (const { network, txId, blockNumber, orderId } of reversals) {
    reverted.inc()
    log.warn(
      { event: 'deposit.reverted', orderId, network, txId, blockNumber },
      'Chain has taken back a counted deposit',
    )
  }
}

/** Keeps the deposits, and settles their orders by what counts now. */
const settleEntries = async (
  tx: Transaction,
  dependencies: Dependencies,
  entries: readonly Located[],
  opened: ReadonlyMap<string, Account>,
) => {
  const { log, tolerance, publicBaseUrl } = dependencies
  const now = dependencies.clock.now()
  const { accounts, changes, reversals } = foldAll(opened, entries, { tolerance, now })
  const touched = new Map(entries.map((entry) => [keyOf(entry), entry.orderId]))
  const kept = [...touched].flatMap(([key, orderId]) => accounts.get(orderId)?.deposits.get(key) ?? [])
  await keepDeposits(tx, kept, now)
  for (const change of changes) emitChange(tx, change, now, publicBaseUrl)
  await recordReverted(tx, log, reversals, now)
  for (const account of accounts.values())
    for (const deposit of lateDepositsOf(account)) await recordLate(tx, dependencies, deposit, now)
  const settled = [...accounts.values()].map(({ order }) => order)
  const changed = settled.filter(({ id, status, received }) => {
    const before = opened.get(id)?.order
    return before?.status !== status || before.received !== received
  })
  if (changed.length > 0) await updateSettledOrders(tx, changed, now)
}

/**
 * Processes one page of the chain's feed in one transaction: keeps each deposit where the chain has it now, settles their
 * orders by the fold over what counts (decisions §20), emits the events and advances the feed's position. Does nothing
 * when another replica has taken over in the meantime.
 * @returns whether the position advanced
 */
export const processPage = (dependencies: Dependencies, from: number, page: DepositPage): Promise<boolean> =>
  dependencies.db.transaction(async (tx) => {
    if (!(await advanceFeed(tx, { holder: dependencies.holder, from, to: page.next }))) return false
    const entries = validEntries(newEntries(page, from), dependencies.log)
    if (entries.length === 0) return true
    const accounts = await openAccounts(tx, entries)
    const located = locate(entries, accounts, dependencies.log)
    if (located.length > 0) await settleEntries(tx, dependencies, located, accounts)
    return true
  })
