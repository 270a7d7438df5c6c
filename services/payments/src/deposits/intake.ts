import { metrics, newId, type Clock, type Db, type Logger, type Transaction } from '@causeway/chassis'
import { CONFIRMATION_DEPTHS, type Deposit, type DepositPage } from '@causeway/rails'
import { isSound, keyOf, readPage, type Told } from './deposit-page.ts'
import { latePaymentEvent } from '../late-payments/domain.ts'
import { orderEvent } from '../crypto-orders/events.ts'
import { settle, type Tolerance } from './settlement.ts'
import { advanceFeed } from './chain-feed-store.ts'
import {
  keepDeposits,
  lockOrdersOf,
  markDepositsCounted,
  saveSettledOrders,
  type AwaitingOrder,
  type KeptDeposit,
} from './store.ts'
import { recordLatePayment } from '../late-payments/store.ts'

const passedOver = metrics.counter(
  'causeway_chain_deposits_passed_over_total',
  'Entries of the chain feed that are no deposit for an order',
  ['reason'],
)

const late = metrics.counter(
  'causeway_late_payments_total',
  'Deposits that came after the end of their order',
)

type Intake = Readonly<{
  db: Db
  clock: Clock
  log: Logger
  holder: string
  tolerance: Tolerance
  publicBaseUrl: string
}>

type Located = Told & { orderId: string }
const placeOf = (entry: { network: string; address: string }) => `${entry.network}/${entry.address}`

/** Finds the order of each deposit; what is for none is passed over, so that it cannot stop the feed. */
const locate = (told: readonly Told[], orders: readonly AwaitingOrder[], log: Logger): Located[] => {
  const byPlace = new Map(
    orders.map((order) => [placeOf({ network: order.network, address: order.watchAddress }), order.id]),
  )
  return told.flatMap((deposit) => {
    const orderId = byPlace.get(placeOf(deposit))
    if (orderId !== undefined) return [{ ...deposit, orderId }]
    passedOver.inc({ reason: 'unknown_address' })
    log.warn({ network: deposit.network, txId: deposit.txId }, 'A deposit is for no order')
    return []
  })
}

/** Deposits that are to be counted now: deep enough, not counted before, in the asset that the order asks for. */
const toCount = (
  located: readonly Located[],
  kept: readonly KeptDeposit[],
  orders: ReadonlyMap<string, AwaitingOrder>,
): KeptDeposit[] => {
  const keptByKey = new Map(kept.map((deposit) => [keyOf(deposit), deposit]))
  return located.flatMap((deposit) => {
    const known = keptByKey.get(keyOf(deposit))
    const isDue = known && deposit.isDeep && !known.isCounted
    return isDue && orders.get(known.orderId)?.asset === known.asset ? [known] : []
  })
}

/** Tells staff of money that pays for nothing: on record, on the stream, in the metrics and in the log. */
const recordLate = async (tx: Transaction, { log }: Intake, deposit: KeptDeposit, now: Date) => {
  const row = await recordLatePayment(tx, newId('latePayment'), deposit, now)
  tx.emit(latePaymentEvent(newId('event'), row))
  late.inc()
  log.warn({ latePaymentId: row.id, orderId: row.orderId }, 'A deposit came after the end of its order')
}

const count = async (
  tx: Transaction,
  intake: Intake,
  located: readonly Located[],
  locked: AwaitingOrder[],
) => {
  const now = intake.clock.now()
  const orders = new Map(locked.map((order) => [order.id, order]))
  const counted = toCount(located, await keepDeposits(tx, located, now), orders)
  if (counted.length === 0) return
  for (const deposit of counted) {
    const before = orders.get(deposit.orderId)
    if (!before) continue
    const { status, received, event, isLate } = settle(before, deposit, intake.tolerance)
    const after = { ...before, status, received }
    orders.set(after.id, after)
    if (isLate) await recordLate(tx, intake, deposit, now)
    if (event !== null) {
      const { partnerSees, ...order } = after
      const { publicBaseUrl } = intake
      tx.emit(
        orderEvent({ eventId: newId('event'), type: event, order, deposit, partnerSees, now, publicBaseUrl }),
      )
    }
  }
  await markDepositsCounted(tx, counted, now)
  const changed = new Set(counted.map((deposit) => deposit.orderId))
  await saveSettledOrders(
    tx,
    [...orders.values()].filter((order) => changed.has(order.id)),
    now,
  )
}

const sound = (entries: readonly Deposit[], log: Logger): Deposit[] =>
  entries.filter((entry) => {
    if (isSound(entry)) return true
    passedOver.inc({ reason: 'unsound' })
    log.error(
      { network: entry.network, txId: entry.txId, seq: entry.seq },
      'An entry of the chain feed is unsound',
    )
    return false
  })

/**
 * Takes in one page of the chain's feed: keeps each deposit once, counts what is deep enough, moves the orders and
 * tells of it, and moves the feed's position on, all in one transaction. Does nothing when another replica has
 * taken over in the meantime.
 * @returns whether the position moved
 */
export const takeIn = (intake: Intake, from: number, page: DepositPage): Promise<boolean> =>
  intake.db.transaction(async (tx) => {
    if (!(await advanceFeed(tx, intake.holder, from, page.next))) return false
    const told = readPage(sound(page.deposits, intake.log), CONFIRMATION_DEPTHS)
    if (told.length === 0) return true
    const locked = await lockOrdersOf(tx, told)
    const located = locate(told, locked, intake.log)
    if (located.length > 0) await count(tx, intake, located, locked)
    return true
  })
