import type { Queryable } from '@causeway/chassis'
import { PAYOUT_SUMMARY_KINDS, type PayoutSummary } from '@causeway/contracts'
import { presentAmount } from '../posting/amounts.ts'
import { listSums, type SumRow } from './store.ts'

const summaryOf = (unit: string, rows: readonly SumRow[]): PayoutSummary => {
  const sums = new Map(rows.map(({ kind, amount }) => [kind, amount]))
  const ofKinds = Object.entries(PAYOUT_SUMMARY_KINDS).map(([field, kind]) => [
    field,
    presentAmount(unit, sums.get(kind) ?? '0'),
  ])
  return {
    ...(Object.fromEntries(ofKinds) as Omit<PayoutSummary, 'advance' | 'entry_count'>),
    advance: presentAmount(unit, rows[0]?.advance ?? '0'),
    entry_count: rows[0]?.entryCount ?? 0,
  }
}

type Summarised = Readonly<{ payoutId: string; unit: string }>

/**
 * Returns how each payout adds up (decisions §49).
 * @throws Error for a payout that the books do not have
 */
export const readSummaries = async (
  db: Queryable,
  payouts: readonly Summarised[],
): Promise<ReadonlyMap<string, PayoutSummary>> => {
  const rows = await listSums(db, { payoutIds: payouts.map(({ payoutId }) => payoutId) })
  const byPayout = Map.groupBy(rows, ({ payoutId }) => payoutId)
  return new Map(
    payouts.map(({ payoutId, unit }) => {
      const own = byPayout.get(payoutId)
      if (own === undefined) throw new Error(`The books have no payout ${payoutId}`)
      return [payoutId, summaryOf(unit, own)]
    }),
  )
}

/** Returns how one payout adds up. @throws Error for a payout that the books do not have */
export const readSummary = async (db: Queryable, payout: Summarised): Promise<PayoutSummary> => {
  const summary = (await readSummaries(db, [payout])).get(payout.payoutId)
  if (summary === undefined) throw new Error(`${payout.payoutId} has no summary`)
  return summary
}
