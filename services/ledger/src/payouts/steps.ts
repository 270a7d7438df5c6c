import type { Transaction } from '@causeway/chassis'
import type { PayoutStatus, PayoutTransferStatus } from '@causeway/contracts'
import * as store from './announced-store.ts'
import { payoutEvent, type PayoutEventName } from './events.ts'
import { stepPayout } from './pay-out.ts'
import type { PayoutStep } from './payout.ts'
import { isToMerchant } from './present.ts'
import { readSummary } from './summary.ts'

/** The statuses from which a payout takes each step, as the books have them. */
const FROM: Readonly<Record<Exclude<PayoutStep, 'upcoming'>, readonly PayoutStatus[]>> = {
  sent: ['upcoming'],
  settled: ['sent'],
  cancelled: ['upcoming'],
  returned: ['sent', 'settled'],
}

/** `at`: when it happened. `counterpart`: the account that a settled payout went to. */
export type StepOfPayout = Readonly<{
  payoutId: string
  step: keyof typeof FROM
  at: Date
  reference?: string | undefined
  txId?: string | undefined
  returnReason?: string | undefined
  /** The file that is uploaded; a payout in a file is neither sent nor cancelled otherwise. */
  paymentFileId?: string
  counterpart?: string
  /** The signer has done it; nobody else takes a step of a payout that the signer is sending. */
  isOfSigner?: boolean
}>

/** The payout after its step. Where it cannot take the step: its status, the file that it is in, how far the signer is. */
type Stepped = Readonly<{
  row: store.PayoutRow | null
  from: PayoutStatus
  paymentFileId: string | null
  transferStatus: PayoutTransferStatus | null
}>

/** Takes a payout a step further, in its row and in the books. @returns null for a payout that does not exist */
export const takeStep = async (tx: Transaction, wanted: StepOfPayout, now: Date): Promise<Stepped | null> => {
  const {
    payoutId,
    step,
    at,
    reference = null,
    txId = null,
    returnReason = null,
    counterpart = null,
    paymentFileId = null,
    isOfSigner = false,
  } = wanted
  const named = { reference, txId, returnReason, paymentFileId, isOfSigner }
  const stepped = await store.takeStep(tx, { payoutId, step, from: [...FROM[step]], at, ...named })
  if (stepped === null) {
    const known = await store.get(tx, { payoutId })
    if (known === null) return null
    const { status, paymentFileId: file, transferStatus } = known
    return { row: null, from: status, paymentFileId: file, transferStatus }
  }
  await stepPayout(tx, { payoutId, step, counterpart }, now)
  const { statusBefore: from, ...row } = stepped
  return { row, from, paymentFileId: row.paymentFileId, transferStatus: row.transferStatus }
}

/** Emits the event of a payout for its merchant and, where it may read it, its partner. One to a partner has none. */
export const emitPayout = async (
  tx: Transaction,
  name: PayoutEventName,
  row: store.PayoutRow,
  now: Date,
): Promise<void> => {
  if (!isToMerchant(row)) return
  const partner = await store.getReader(tx, { ownerId: row.ownerId })
  const told = { row, summary: await readSummary(tx, row), partnerId: partner?.partnerId ?? null }
  tx.emit(payoutEvent(name, told, now))
}
