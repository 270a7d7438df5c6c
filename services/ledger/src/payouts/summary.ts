import type { Queryable } from '@causeway/chassis'
import { PAYOUT_SUMMARY_KINDS, type MerchantPayoutSummary } from '@causeway/contracts'
import { presentAmount } from '../posting/amounts.ts'
import { listSums } from './store.ts'

/**
 * Returns the amounts of a payout by the kinds of its entries, each signed as it changes the amount: together they are the
 * amount (decisions §49).
 * @throws Error for a payout that the books do not have
 */
export const readSummary = async (
  tx: Queryable,
  { payoutId, unit }: Readonly<{ payoutId: string; unit: string }>,
): Promise<MerchantPayoutSummary> => {
  const rows = await listSums(tx, { payoutId })
  const [payout] = rows
  if (payout === undefined) throw new Error(`The books have no payout ${payoutId}`)
  const sums = new Map(rows.map(({ kind, amount }) => [kind, amount]))
  const ofKinds = Object.entries(PAYOUT_SUMMARY_KINDS).map(([field, kind]) => [
    field,
    presentAmount(unit, sums.get(kind) ?? '0'),
  ])
  return {
    ...(Object.fromEntries(ofKinds) as Omit<MerchantPayoutSummary, 'advance' | 'entryCount'>),
    advance: presentAmount(unit, payout.advance),
    entryCount: payout.entryCount,
  }
}
