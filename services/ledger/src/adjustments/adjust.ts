import { newId, refuse, type Queryable, type Transaction } from '@causeway/chassis'
import type { AdjustedAmount, ErrorCode } from '@causeway/contracts'
import { ownedAccount } from '../posting/accounts.ts'
import { partsOfAmount, presentAmount } from '../posting/amounts.ts'
import { journalIdOf } from '../posting/ids.ts'
import { postBatch } from '../posting/post-facts.ts'
import { adjustmentPosting, type Adjusted } from './adjustment.ts'
import * as store from './store.ts'

/** Reads a request. @returns null for an amount with more decimals than its asset has */
export const readAdjusted = ({
  partner_customer_id,
  partner_id,
  unit,
  amount,
}: AdjustedAmount): Adjusted | null => {
  try {
    return { ownerId: partner_customer_id ?? partner_id ?? '', unit, amount: partsOfAmount(unit, amount) }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** @param field the path of the amount in the request */
export const refuseDecimals = (field: string) =>
  refuse('invalid_request', [
    { field, reason: 'invalid_value', expected: 'no more decimals than the asset has' },
  ])

/** Returns the available balance of a relationship or partner; null for an unknown one. */
const readAvailable = async (db: Queryable, { ownerId, unit }: Adjusted): Promise<bigint | null> => {
  if (!(await store.getOwner(db, { ownerId }))?.known) return null
  const { name } = ownedAccount(ownerId, 'available')
  return BigInt((await store.getBalance(db, { account: name, unit }))?.amount ?? 0)
}

/** Returns the available balance, or the refusal of an adjustment of an unknown owner or below zero. */
export const judgeAdjustment = async (db: Queryable, wanted: Adjusted) => {
  const { unit, amount } = wanted
  const available = await readAvailable(db, wanted)
  if (available === null) return refuse('resource_not_found')
  return amount < 0n && available + amount < 0n
    ? refuse('amount_exceeds_available', [{ available: presentAmount(unit, available) }])
    : { ok: true as const, available }
}

/** Returns the available balance, or the refusal of a write-off of an unknown owner or above what it owes. */
export const judgeWriteOff = async (db: Queryable, wanted: Adjusted) => {
  const { unit, amount } = wanted
  const available = await readAvailable(db, wanted)
  if (available === null) return refuse('resource_not_found')
  const owed = available < 0n ? -available : 0n
  return amount > owed
    ? refuse('invalid_request', [
        { field: 'amount', reason: 'too_big', expected: `at most ${presentAmount(unit, owed)}` },
      ])
    : { ok: true as const, available }
}

/** Posts an adjustment and stores its reason, or refuses it. It locks the end of the journal. */
const postJudged = async <C extends ErrorCode>(
  tx: Transaction,
  wanted: Adjusted,
  reason: string,
  now: Date,
  judge: (
    db: Queryable,
    wanted: Adjusted,
  ) => Promise<ReturnType<typeof refuse<C>> | Readonly<{ ok: true; available: bigint }>>,
) => {
  // The balance that is read next cannot change before this transaction ends.
  await postBatch(tx, { postings: [] }, now)
  const judged = await judge(tx, wanted)
  if (!judged.ok) return judged
  const { isWriteOff = false } = wanted
  const adjustmentId = newId('adjustment')
  const posting = adjustmentPosting(wanted, adjustmentId, now)
  await postBatch(tx, { postings: [posting] }, now)
  await store.insert(tx, { ...wanted, amount: String(wanted.amount), adjustmentId, isWriteOff, reason, now })
  return { ok: true as const, adjustmentId, journalId: journalIdOf(posting), available: judged.available }
}

export const adjust = (tx: Transaction, wanted: Adjusted, reason: string, now: Date) =>
  postJudged(tx, wanted, reason, now, judgeAdjustment)

export const writeOff = (tx: Transaction, wanted: Adjusted, reason: string, now: Date) =>
  postJudged(tx, { ...wanted, isWriteOff: true }, reason, now, judgeWriteOff)
