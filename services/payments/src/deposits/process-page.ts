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
import type { LockedOrder } from '../crypto-orders/store.ts'
import { latePaymentEvent } from '../late-payments/domain.ts'
import { insertLatePayment } from '../late-payments/store.ts'
import { advanceFeed } from './chain-feed-store.ts'
import { isValid, keyOf, readPage, type ReportedDeposit } from './deposit-page.ts'
import { settle, type Tolerance } from './settlement.ts'
import {
  lockOrdersByAddress,
  markDepositsCounted,
  updateSettledOrders,
  upsertDeposits,
  type StoredDeposit,
} from './store.ts'

const skipped = metrics.counter(
  'causeway_chain_deposits_passed_over_total',
  'Entries of the chain feed that are no deposit for an order',
  ['reason'],
)

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

type LocatedDeposit = ReportedDeposit & { orderId: string }
const placeOf = (entry: { network: string; address: string }) => `${entry.network}/${entry.address}`

/** Finds the order of each deposit; a deposit without one is skipped, so that it cannot stop the feed. */
const locate = (
  deposits: readonly ReportedDeposit[],
  orders: readonly LockedOrder[],
  log: Logger,
): LocatedDeposit[] => {
  const byPlace = new Map(
    orders.map((order) => [placeOf({ network: order.network, address: order.watchAddress }), order.id]),
  )
  return deposits.flatMap((deposit) => {
    const orderId = byPlace.get(placeOf(deposit))
    if (orderId !== undefined) return [{ ...deposit, orderId }]
    skipped.inc({ reason: 'unknown_address' })
    log.warn(
      { event: 'deposit.unknown_address', network: deposit.network, txId: deposit.txId },
      'Deposit belongs to no order',
    )
    return []
  })
}

/** Deposits to count now: confirmed, not counted before, in the order's asset. */
const toCount = (
  located: readonly LocatedDeposit[],
  stored: readonly StoredDeposit[],
  orders: ReadonlyMap<string, LockedOrder>,
): StoredDeposit[] => {
  const storedByKey = new Map(stored.map((deposit) => [keyOf(deposit), deposit]))
  return located.flatMap((deposit) => {
    const known = storedByKey.get(keyOf(deposit))
    const isDue = known && deposit.isConfirmed && !known.isCounted
    return isDue && orders.get(known.orderId)?.asset === known.asset ? [known] : []
  })
}

/** Records money that pays for nothing, for staff: as a late payment with its event, in the metrics and in the log. */
const recordLate = async (tx: Transaction, { log }: Dependencies, deposit: StoredDeposit, now: Date) => {
  const row = await insertLatePayment(tx, newId('latePayment'), deposit, now)
  tx.emit(latePaymentEvent(newIdAt('event', now.getTime()), row))
  late.inc()
  log.warn(
    { event: 'deposit.late', latePaymentId: row.id, orderId: row.orderId },
    'Deposit arrived after the end of its order',
  )
}

/** Stores the deposits, and adds those that count to their orders. */
const count = async (
  tx: Transaction,
  dependencies: Dependencies,
  located: readonly LocatedDeposit[],
  locked: readonly LockedOrder[],
) => {
  const now = dependencies.clock.now()
  const orders = new Map(locked.map((order) => [order.id, order]))
  const counted = toCount(located, await upsertDeposits(tx, located, now), orders)
  if (counted.length === 0) return
  for (const deposit of counted) {
    const before = orders.get(deposit.orderId)
    if (!before) continue
    const { status, received, event, isLate } = settle(before, deposit, dependencies.tolerance)
    const after = { ...before, status, received }
    orders.set(after.id, after)
    if (isLate) await recordLate(tx, dependencies, deposit, now)
    if (event !== null) {
      const { partnerSees, ...order } = after
      const { publicBaseUrl } = dependencies
      tx.emit(
        orderEvent({
          eventId: newIdAt('event', now.getTime()),
          type: event,
          order,
          deposit,
          partnerSees,
          now,
          publicBaseUrl,
        }),
      )
    }
  }
  await markDepositsCounted(tx, counted, now)
  const changed = new Set(counted.map((deposit) => deposit.orderId))
  await updateSettledOrders(
    tx,
    [...orders.values()].filter((order) => changed.has(order.id)),
    now,
  )
}

const validEntries = (entries: readonly Deposit[], log: Logger): Deposit[] =>
  entries.filter((entry) => {
    if (isValid(entry)) return true
    skipped.inc({ reason: 'unsound' })
    log.error(
      { event: 'deposit.invalid', network: entry.network, txId: entry.txId, seq: entry.seq },
      'Invalid entry of the chain feed skipped',
    )
    return false
  })

/**
 * Processes one page of the chain's feed in one transaction: stores each deposit once, counts the confirmed ones,
 * updates their orders, emits the events and advances the feed's position. Does nothing when another replica has taken
 * over in the meantime.
 * @returns whether the position advanced
 */
export const processPage = (dependencies: Dependencies, from: number, page: DepositPage): Promise<boolean> =>
  dependencies.db.transaction(async (tx) => {
    if (!(await advanceFeed(tx, { holder: dependencies.holder, from, to: page.next }))) return false
    const deposits = readPage(validEntries(page.deposits, dependencies.log), CONFIRMATION_DEPTHS)
    if (deposits.length === 0) return true
    const locked = await lockOrdersByAddress(tx, {
      networks: deposits.map((deposit) => deposit.network),
      addresses: deposits.map((deposit) => deposit.address),
    })
    const located = locate(deposits, locked, dependencies.log)
    if (located.length > 0) await count(tx, dependencies, located, locked)
    return true
  })
