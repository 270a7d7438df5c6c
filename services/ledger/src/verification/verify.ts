import type { Queryable } from '@causeway/chassis'
import {
  findWrongBalances,
  findWrongCheckpoints,
  findWrongEntries,
  findWrongJournal,
  findWrongPayouts,
  findWrongRests,
  findWrongSides,
  readTrialBalance,
} from './store.ts'
import { trialBalanceOf, type UnitBalance } from './trial-balance.ts'

/** Reads the trial balance at an instant. */
export const getTrialBalance = async (db: Queryable, at: Date): Promise<UnitBalance[]> =>
  trialBalanceOf(await readTrialBalance(db, { at }))

const FINDINGS = [
  findWrongJournal,
  findWrongSides,
  findWrongEntries,
  findWrongBalances,
  findWrongPayouts,
  findWrongRests,
  findWrongCheckpoints,
]

/** Verifies the whole books. Returns a line per fault; an empty list if the books are right. */
export const verifyBooks = async (db: Queryable, now: Date): Promise<string[]> => {
  const faults: string[] = []
  for (const find of FINDINGS)
    for (const { subject, fault } of await find(db)) faults.push(`${subject}: ${fault}`)
  for (const { unit, difference } of await getTrialBalance(db, now))
    if (difference !== 0n) faults.push(`${unit}: debits exceed credits by ${difference}`)
  return faults
}
