import { metrics, type Db } from '@causeway/chassis'
import type { Movement, SettlementPosting } from '../settlement-postings/movements.ts'
import { endDifferences, lockBankLine, postMovements } from './bank-differences.ts'
import * as store from './store.ts'

const BATCH = 100

const age = metrics.gauge(
  'causeway_ledger_in_transit_age_seconds',
  'Age of the oldest payout of a card processor that is in no statement of the bank; 0 if there are none',
)

type Found = Awaited<ReturnType<typeof store.listProcessorPayouts>>[number]

/** Returns the posting of a line of the bank: a payout arrives, or the processor takes its negative one from the account. */
const postingOf = ({ processor, bankLineId, amount, currency, bookedAt }: Found): SettlementPosting => {
  const cents = BigInt(amount)
  const sides: Pick<Movement, 'debit' | 'credit'> =
    cents > 0n ? { debit: 'bank', credit: 'in_transit' } : { debit: 'in_transit', credit: 'bank' }
  return {
    ...{ source: `bank:${bankLineId}`, processor, orderKey: null, orderId: null, effectiveAt: bookedAt },
    movements: [{ ...sides, unit: currency, amount: cents < 0n ? -cents : cents, ownerId: null, kind: null }],
  }
}

/** Books the payout of a processor at the bank, once. @returns whether it did */
const book = (db: Db, found: Found, now: Date): Promise<boolean> =>
  db.transaction(async (tx) => {
    const { bankLineId: lineId } = found
    const open = await lockBankLine(tx, lineId, found)
    if (open === null) return false
    // Another replica was faster.
    const status = open.payout.length > 0 ? 'missing' : 'open'
    if ((await store.setBankLine(tx, { ...found, status })) === null) return false
    await store.setDone(tx, { lineId })
    const reversals = await endDifferences(tx, open, now)
    await postMovements(tx, [...reversals, postingOf(found)], now)
    return true
  })

/**
 * Matches payouts of processors with lines of the bank (decisions §51): what was in transit is at the bank then. Replicas may
 * run it simultaneously.
 * @returns whether there may be more
 */
export const matchProcessorPayouts = async (db: Db, now: Date): Promise<boolean> => {
  let matched = 0
  for (const found of await store.listProcessorPayouts(db.pooled, { limit: BATCH }))
    if (await book(db, found, now)) matched += 1
  const since = (await store.getInTransit(db.pooled))?.since ?? null
  age.set(since === null ? 0 : Math.max(0, now.getTime() - since.getTime()) / 1_000)
  return matched > 0
}
