import type { Queryable } from '@causeway/chassis'
import { postBatch, presentPostings } from '../posting/post-facts.ts'
import { settleReserves } from '../reserves/settle.ts'
import { payoutPosting, type PayoutStep } from './payout.ts'
import * as store from './store.ts'

/**
 * A payout to make. `amount`: null for all that is available less the fee, if it is at least the minimum. `before`: only
 * entries recorded earlier. `fee`: charged in addition to the amount. `takesAdvance`: an amount that the balance does not
 * cover is advanced instead of refused.
 */
export type Wanted = Readonly<{
  payoutId: string
  ownerId: string
  unit: string
  amount: bigint | null
  minimum?: bigint
  before?: Date | null
  fee?: bigint
  takesAdvance?: boolean
}>

export type PaidOutNow = Readonly<{
  /** Null: nothing was paid out. */
  paid: Readonly<{ amount: bigint; advance: bigint; entryCount: number }> | null
  /** Available before. */
  available: bigint
}>

/** The amount is filled in where the balance is read. */
const ANY_AMOUNT = 1n

/**
 * Pays out an owner's available entries, each at most once, in the transaction of its caller (decisions §49). What a reserve
 * plan holds of the balance is reserved first.
 */
export const payOut = async (
  tx: Queryable,
  { payoutId, ownerId, unit, amount, minimum = 0n, before = null, fee = 0n, takesAdvance = false }: Wanted,
  now: Date,
): Promise<PaidOutNow> => {
  await settleReserves(tx, { ownerId, unit }, now)
  const begun = { payoutId, ownerId, unit, amount: amount ?? ANY_AMOUNT, fee, counterpart: null }
  const posting = payoutPosting('upcoming', begun, now)
  const { accounts, postings } = presentPostings(posting === null ? [] : [posting])
  const payout = {
    payout_id: payoutId,
    before: before?.toISOString() ?? null,
    amount: amount === null ? null : String(amount),
    minimum: String(minimum),
    fee: String(fee),
    takes_advance: takesAdvance,
  }
  const row = await store.payOut(tx, { payout: JSON.stringify(payout), accounts, posting: postings, now })
  if (row === null) throw new Error('books.pay_out returned no row')
  const paid =
    row.amount === null || row.advance === null
      ? null
      : { amount: BigInt(row.amount), advance: BigInt(row.advance), entryCount: row.entryCount }
  return { paid, available: BigInt(row.available) }
}

const NOT_POSSIBLE = 'LB003'

/** True if the books refused a step that the payout cannot take. */
export const isStepRefused = (error: unknown): boolean => (error as { code?: unknown }).code === NOT_POSSIBLE

type Step = Readonly<{ payoutId: string; step: Exclude<PayoutStep, 'upcoming'>; counterpart?: string | null }>

/**
 * Takes a payout a step further, in a transaction of its caller. `counterpart`: the account that a settled payout went to.
 * @returns whether the step is new; null for a payout that does not exist
 * @throws an error of {@link isStepRefused} for a step that the payout cannot take
 */
export const stepPayout = async (
  tx: Queryable,
  { payoutId, step, counterpart = null }: Step,
  now: Date,
): Promise<boolean | null> => {
  // Nobody else takes a step before this transaction ends.
  await postBatch(tx, { postings: [] }, now)
  const row = await store.getPaidOut(tx, { payoutId })
  if (row === null) return null
  const moved = { amount: BigInt(row.amount), fee: BigInt(row.fee) }
  const payout = { ...row, ...moved, counterpart: row.counterpart ?? counterpart }
  const posting = payoutPosting(step, payout, now)
  const posted = presentPostings(posting === null ? [] : [posting])
  const done = await store.stepPayout(tx, { payoutId, step, counterpart, at: now, ...posted, now })
  return done?.isNew ?? null
}
