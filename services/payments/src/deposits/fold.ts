import type { OrderEventType } from '../crypto-orders/events.ts'
import type { LockedOrder } from '../crypto-orders/store.ts'
import { keyOf, type Entry } from './deposit-page.ts'
import { settle, unsettle, type Payable, type Tolerance } from './settlement.ts'
import type { KeptDeposit } from '../crypto-orders/deposits-store.ts'
import { isAccepted, towardsOrder } from './allocation.ts'

/** An order with every deposit that was ever seen for it. */
export type Account = Readonly<{ order: LockedOrder; deposits: ReadonlyMap<string, KeptDeposit> }>

/** Change of an order by an entry of the chain's feed, reported in one event. */
export type Change = Readonly<{
  type: Extract<OrderEventType, 'payment.confirmed' | 'payment.underpaid' | 'payment.reverted'>
  /** The order after the change. */
  order: LockedOrder
  /** The deposit that counts now; of a reversal, as it was in the block that is gone. */
  deposit: KeptDeposit
}>

type Rules = Readonly<{ depth: number; tolerance: Tolerance; now: Date }>
type Applied = Readonly<{ account: Account; changes: readonly Change[]; reversals: readonly KeptDeposit[] }>

/** The deposits that count, in the order's asset. */
const countedOf = ({ order, deposits }: Account): KeptDeposit[] =>
  [...deposits.values()].filter(({ countedAt, asset }) => countedAt !== null && asset === order.asset)

/** Checks whether the order would have ended without the deposits that no longer count. One that staff settled never reopens. */
const isOver = (account: Account, now: Date): boolean => {
  const { expiresAt } = account.order
  if ([...account.deposits.values()].some(isAccepted)) return true
  return expiresAt <= now && !countedOf(account).some(({ countedAt }) => countedAt && countedAt < expiresAt)
}

const payableOf = ({ order, deposits }: Account): Payable => ({
  status: order.status,
  asset: order.asset,
  amount: order.amount,
  received: towardsOrder(order, deposits.values()),
  isAccepted: [...deposits.values()].some((each) => each.countedAt !== null && isAccepted(each)),
})

/** Checks whether the order depends on a deposit: one in its asset, or one that staff applied to it. */
const concerns = ({ order }: Account, deposit: KeptDeposit): boolean =>
  deposit.asset === order.asset || isAccepted(deposit)

/** The order with one more deposit, or one as it is now, and what it has received then. */
export const withDeposit = ({ order, deposits }: Account, deposit: KeptDeposit): Account => {
  const account = { order, deposits: new Map(deposits).set(keyOf(deposit), deposit) }
  return { ...account, order: { ...order, received: towardsOrder(order, account.deposits.values()) } }
}

const count = (before: Account, deposit: KeptDeposit, { tolerance, now }: Rules): Applied => {
  const account = withDeposit(before, { ...deposit, countedAt: now })
  if (!concerns(account, deposit)) return { account, changes: [], reversals: [] }
  const { status, event } = settle(payableOf(account), tolerance)
  const order = { ...account.order, status }
  const changes = event === null ? [] : [{ type: event, order, deposit }]
  return { account: { ...account, order }, changes, reversals: [] }
}

const takeBack = (before: Account, counted: KeptDeposit, { tolerance, now }: Rules): Applied => {
  const account = withDeposit(before, { ...counted, countedAt: null })
  if (!concerns(account, counted)) return { account, changes: [], reversals: [counted] }
  const status = unsettle(payableOf(account), tolerance, isOver(account, now))
  const order = { ...account.order, status }
  return {
    account: { ...account, order },
    changes: [{ type: 'payment.reverted', order, deposit: counted }],
    reversals: [counted],
  }
}

/** Checks whether a deposit is in this block. The block of a deposit from before blocks were stored is unknown and counts as the same. */
const isIn = (blockHash: string, deposit: KeptDeposit): boolean =>
  (deposit.blockHash ?? blockHash) === blockHash

/** The state that an entry reports. Asset and amount stay as they were first reported for this block. */
const reported = (entry: Entry, known: KeptDeposit | undefined, orderId: string): KeptDeposit => {
  const { network, txId, outputIndex, confirmations, blockNumber, blockHash } = entry
  const { asset, amount } =
    known !== undefined && (blockHash === null || isIn(blockHash, known)) ? known : entry
  const {
    countedAt = null,
    split = null,
    money = [],
    heldAt = null,
    sender = null,
    serviceFee = '0',
    settledAmount = '0',
    settledCents = 0,
  } = known ?? {}
  const place = { confirmations, blockNumber, blockHash }
  return {
    ...{ network, txId, outputIndex, orderId, asset, amount, ...place },
    ...{ countedAt, split, money, heldAt, sender, serviceFee, settledAmount, settledCents },
  }
}

/**
 * Applies one entry of the chain's feed to an order (decisions §20). A deposit counts from its depth on, and as long as
 * its block is on the chain; in another block it has to reach its depth again, unless it has reached it already. The
 * received amount is always the sum of the counted deposits in the order's asset, so that each reversal reduces it, however
 * often. Other assets count too, but not towards the order.
 */
export const applyEntry = (before: Account, entry: Entry, rules: Rules): Applied => {
  const known = before.deposits.get(keyOf(entry))
  const now = reported(entry, known, before.order.id)
  const wasCounted = known !== undefined && known.countedAt !== null
  const { blockHash, confirmations } = entry
  const counts =
    blockHash !== null && (confirmations >= rules.depth || (wasCounted && isIn(blockHash, known)))

  if (wasCounted && (!counts || known.amount !== now.amount || known.asset !== now.asset)) {
    const taken = takeBack(before, known, rules)
    const left = withDeposit(taken.account, { ...now, countedAt: null })
    if (!counts) return { ...taken, account: left }
    const again = count(left, now, rules)
    return { ...again, changes: [...taken.changes, ...again.changes], reversals: taken.reversals }
  }
  if (counts && !wasCounted) return count(before, now, rules)
  return { account: withDeposit(before, now), changes: [], reversals: [] }
}
