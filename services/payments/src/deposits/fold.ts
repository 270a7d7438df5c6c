import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails'
import type { OrderEventType } from '../crypto-orders/events.ts'
import type { LockedOrder } from '../crypto-orders/store.ts'
import { keyOf, type Entry } from './deposit-page.ts'
import { settle, unsettle, type Tolerance } from './settlement.ts'
import type { KeptDeposit } from '../crypto-orders/deposits-store.ts'

/** An order with every deposit that was ever seen for it. */
export type Account = Readonly<{ order: LockedOrder; deposits: ReadonlyMap<string, KeptDeposit> }>

/** What an entry of the chain's feed changed for an order, told by one event. */
export type Change = Readonly<{
  type: Extract<OrderEventType, 'payment.confirmed' | 'payment.underpaid' | 'payment.reverted'>
  /** The order after the change. */
  order: LockedOrder
  /** The deposit that counts now; of a reversal, as it was in the block that is gone. */
  deposit: KeptDeposit
}>

type Rules = Readonly<{ depth: number; tolerance: Tolerance; now: Date }>
type Applied = Readonly<{ account: Account; changes: readonly Change[]; reversals: readonly KeptDeposit[] }>

const countedOf = ({ deposits }: Account): KeptDeposit[] =>
  [...deposits.values()].filter((deposit) => deposit.countedAt !== null)

const receivedOf = (account: Account): string => {
  const decimals = ASSET_DECIMALS[account.order.asset]
  const units = countedOf(account).map(({ amount }) => toUnits(amount, decimals))
  return fromUnits(
    units.reduce((sum, each) => sum + each, 0n),
    decimals,
  )
}

/** Whether the order would have expired without what does not count any more. */
const isOver = (account: Account, now: Date): boolean => {
  const { expiresAt } = account.order
  return expiresAt <= now && !countedOf(account).some(({ countedAt }) => countedAt && countedAt < expiresAt)
}

const withDeposit = ({ order, deposits }: Account, deposit: KeptDeposit): Account => {
  const account = { order, deposits: new Map(deposits).set(keyOf(deposit), deposit) }
  return { ...account, order: { ...order, received: receivedOf(account) } }
}

const count = (before: Account, deposit: KeptDeposit, { tolerance, now }: Rules): Applied => {
  const account = withDeposit(before, { ...deposit, countedAt: now })
  const { status, event } = settle(account.order, tolerance)
  const order = { ...account.order, status }
  const changes = event === null ? [] : [{ type: event, order, deposit }]
  return { account: { ...account, order }, changes, reversals: [] }
}

const takeBack = (before: Account, counted: KeptDeposit, { tolerance, now }: Rules): Applied => {
  const account = withDeposit(before, { ...counted, countedAt: null, isLate: false })
  const status = unsettle(account.order, tolerance, isOver(account, now))
  const order = { ...account.order, status }
  return {
    account: { ...account, order },
    changes: [{ type: 'payment.reverted', order, deposit: counted }],
    reversals: [counted],
  }
}

/** Whether a deposit is in this block. Of one from before blocks were kept, the block is not known and taken for the same. */
const isIn = (blockHash: string, deposit: KeptDeposit): boolean =>
  (deposit.blockHash ?? blockHash) === blockHash

/** The state that an entry reports. Asset and amount stay as they were first reported for this block. */
const reported = (entry: Entry, known: KeptDeposit | undefined, orderId: string): KeptDeposit => {
  const { network, txId, outputIndex, confirmations, blockNumber, blockHash } = entry
  const { asset, amount } =
    known !== undefined && (blockHash === null || isIn(blockHash, known)) ? known : entry
  const { countedAt = null, isLate = false } = known ?? {}
  const place = { confirmations, blockNumber, blockHash }
  return { network, txId, outputIndex, orderId, asset, amount, ...place, countedAt, isLate }
}

/**
 * Applies one entry of the chain's feed to an order (decisions §20). A deposit counts from its depth on, and as long as
 * its block is on the chain; in another block it has to reach its depth again, unless it has reached it already. What an
 * order has received is always the sum of what counts, so that whatever is taken away is taken back, however often.
 */
export const applyEntry = (before: Account, entry: Entry, rules: Rules): Applied => {
  const known = before.deposits.get(keyOf(entry))
  const now = reported(entry, known, before.order.id)
  const wasCounted = known !== undefined && known.countedAt !== null
  const { blockHash, confirmations } = entry
  const counts =
    blockHash !== null &&
    now.asset === before.order.asset &&
    (confirmations >= rules.depth || (wasCounted && isIn(blockHash, known)))

  if (wasCounted && (!counts || known.amount !== now.amount)) {
    const taken = takeBack(before, known, rules)
    const left = withDeposit(taken.account, { ...now, countedAt: null, isLate: false })
    if (!counts) return { ...taken, account: left }
    const again = count(left, { ...now, isLate: false }, rules)
    return { ...again, changes: [...taken.changes, ...again.changes], reversals: taken.reversals }
  }
  if (counts && !wasCounted) return count(before, now, rules)
  return { account: withDeposit(before, now), changes: [], reversals: [] }
}
