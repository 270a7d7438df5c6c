import { newId, type Transaction } from '@causeway/chassis'
import type { PayoutSchedule, PayoutSummary, SkipReason } from '@causeway/contracts'
import { insert, type PayoutRow } from './announced-store.ts'
import { payOut } from './pay-out.ts'
import { emitPayout } from './steps.ts'
import { readSummary } from './summary.ts'

/** A balance to pay out: everything that was available before the cut-off, if it is at least the minimum. */
export type BalanceToPay = Readonly<{
  ownerId: string
  merchantId: string
  unit: string
  cutOff: Date
  minimum: bigint
  /** Charged for the payout. */
  fee: bigint
  /** The run of staff that pays it; null: a schedule that is due. */
  runId: string | null
  /** The relationship's schedule, which names the destination; null: none was set. */
  schedule: PayoutSchedule | null
}>

export type PaidBalance = Readonly<{ row: PayoutRow; summary: PayoutSummary }>
export type SkippedBalance = Readonly<{ available: bigint; reason: SkipReason }>

/** Pays a balance out in the transaction of its caller, with its event; or says why it pays nothing. */
export const payBalance = async (
  tx: Transaction,
  { ownerId, merchantId, unit, cutOff, minimum, fee, runId, schedule }: BalanceToPay,
  now: Date,
): Promise<PaidBalance | SkippedBalance> => {
  const payoutId = newId('payout')
  const { paid, available } = await payOut(
    tx,
    { payoutId, ownerId, unit, amount: null, minimum, fee, before: cutOff },
    now,
  )
  if (paid === null) return { available, reason: available < 0n ? 'negative' : 'below_minimum' }
  const row = await insert(tx, {
    ...{ payoutWalletId: schedule?.payout_wallet_id ?? null, reference: null },
    ...{ payoutId, merchantId, ownerId, amount: String(paid.amount), unit },
    ...{ scheduledFor: now, createdAt: now, runId },
    schedule: schedule === null ? null : JSON.stringify(schedule),
  })
  if (row === null) throw new Error(`${payoutId} exists`)
  await emitPayout(tx, 'payout.upcoming', row, now)
  return { row, summary: await readSummary(tx, row) }
}
