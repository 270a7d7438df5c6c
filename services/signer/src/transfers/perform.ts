import { appendFacts, type KeylessServiceContext, type Transaction } from '@causeway/chassis'
import type { ErrorDetail } from '@causeway/contracts'
import { ASSET_DECIMALS, toUnits } from '@causeway/rails/networks'
import {
  TransferError,
  type SignedTransfer,
  type TransferProgress,
  type Transfers,
} from '@causeway/rails/transfers'
import type { Limits } from '../limits/limits.ts'
import { spend } from '../limits/spending.ts'
import { appendRecord, type RecordKind } from '../record/store.ts'
import { judgePayoutApprovals } from '../payout-approvals/approvals.ts'
import type { PayoutLimits } from '../payout-limits/limit.ts'
import { spendPayout } from '../payout-limits/spending.ts'
import { readApprovals } from '../record/approvals.ts'
import { approvableOf, judgeApprovals } from '../refund-approvals/approvals.ts'
import { factsOfStep } from './facts.ts'
import { faultOfSigned } from './fault-of-signed.ts'
import { createReplacing, type ReplacingOptions } from './replacing.ts'
import { beginSigning, finishSigning, type Signing } from './signings.ts'
import { clearStuck, moveTransfer, postponePayout } from './store.ts'
import {
  coinsOf,
  isPayout,
  isRefund,
  PASSING,
  type PayoutRecord,
  type RefundRecord,
  type TransferRecord,
} from './transfer.ts'
import { broadcastVersions, readProgress, versionsOf } from './versions.ts'

type Change = Readonly<{
  failure?: string
  details?: readonly ErrorDetail[] | undefined
  /** State of the network's signings at the signature. */
  signing?: Signing
  signed?: SignedTransfer
  /** The version that the chain took, at the end of a transfer. */
  version?: SignedTransfer
  networkFee?: string
  facts?: Readonly<Record<string, unknown>>
}>

type Context = Pick<KeylessServiceContext, 'db' | 'clock' | 'log'>

export type StepOptions = ReplacingOptions &
  Readonly<{
    /** Confirmations at which a transfer is done, or has failed for good. */
    confirmations: number
    /** When a transfer that is under way is looked at again. */
    againMs: number
    /** Limits of the signer's refunds. */
    limits: Limits
    /** Limits of the signer's payouts. */
    payoutLimits: PayoutLimits
  }>

/** Until a payout is looked at again that cannot be signed now: the treasury is filled, a day ends, a fee falls. */
const WAIT_MS = 60_000
const LACKING = 'insufficient_funds'

const signedOf = (transfer: TransferRecord): SignedTransfer => versionsOf(transfer)[0]
const textOf = (signed: SignedTransfer | undefined): string | null =>
  signed === undefined ? null : JSON.stringify(signed)

/** Records the steps of transfers. */
const createRecording = ({ db, clock, log }: Context, { againMs, limits, payoutLimits }: StepOptions) => {
  const spendOf = async (tx: Transaction, transfer: TransferRecord, now: Date) => {
    if (isRefund(transfer)) return spend(tx, transfer, limits, now)
    return isPayout(transfer) ? spendPayout(tx, transfer, payoutLimits, now) : null
  }

  /**
   * Records a step, once: false when another replica has, or has signed another transfer of the network meanwhile. What
   * was signed is counted by the limits, and the step's fact for the ledger is kept, in the same transaction; a refusal of
   * the limits leaves nothing of it.
   */
  const move = (
    transfer: TransferRecord,
    to: Exclude<RecordKind, 'approved' | 'refused' | 'requested'>,
    change: Change,
  ) =>
    db.transaction(async (tx) => {
      const now = clock.now()
      if (change.signing !== undefined && !(await finishSigning(tx, change.signing))) return false
      const limited = to === 'signed' ? await spendOf(tx, transfer, now) : null
      if (limited !== null) return limited
      const isOver = to === 'confirmed' || to === 'failed'
      const moved = await moveTransfer(tx, {
        id: transfer.id,
        from: transfer.status,
        to,
        failure: change.failure ?? null,
        signed: textOf(change.signed ?? change.version),
        networkFee: change.networkFee ?? null,
        now,
        dueAt: isOver ? null : new Date(now.getTime() + (to === 'signed' ? 0 : againMs)),
      })
      if (moved === null) return false
      await appendRecord(tx, {
        kind: to,
        subject: transfer.id,
        now,
        ...(transfer.orderId !== null && { order_id: transfer.orderId }),
        ...(change.failure !== undefined && { failure: change.failure }),
        ...(change.details !== undefined && { details: change.details }),
        ...(change.signed !== undefined && { signed: change.signed }),
        ...(change.networkFee !== undefined && { network_fee: change.networkFee }),
        ...change.facts,
      })
      const networkFee = change.networkFee ?? null
      const taken = { ...transfer, signed: textOf(change.version) ?? transfer.signed }
      if (to !== 'signed')
        await appendFacts(tx, 'signer', factsOfStep(taken, { step: to, at: now, networkFee }))
      return true
    })

  const fail = async (
    transfer: TransferRecord,
    failure: string,
    reason: string,
    known: Pick<Change, 'details' | 'networkFee' | 'version'> = {},
  ) => {
    log.warn(
      {
        event: 'signer.transfer_failed',
        transferId: transfer.id,
        orderId: transfer.orderId,
        failure,
        reason,
      },
      'A transfer failed',
    )
    await move(transfer, 'failed', { failure, ...known })
  }

  /** Has a payout wait that cannot be signed now. It fails when its approval expires. */
  const wait = ({ id }: PayoutRecord, reason: string) =>
    postponePayout(db, { id, reason, dueAt: new Date(clock.nowMs() + WAIT_MS) })
  return { move, fail, wait }
}
type Recording = ReturnType<typeof createRecording>
/** A transfer that was requested and approved. */
type Sent = RefundRecord | PayoutRecord

/** Checks on the chain whether the address holds the amount, independent of payments. */
const holds = async (transfer: Sent, transfers: Transfers, signal: AbortSignal): Promise<boolean> => {
  // Named deposits are looked up when the transfer is signed, quickly, unlike all deposits of an address.
  if (transfer.coins !== '[]') return true
  const decimals = ASSET_DECIMALS[transfer.asset]
  const balance = await transfers.balanceOf(transfer.keyIndex, transfer.asset, signal)
  return toUnits(balance, decimals) >= toUnits(transfer.amount, decimals)
}

/** Why nothing may be signed: by the record, read anew now, whatever was judged when it was requested. */
const missingApproval = async (
  { db, clock }: Context,
  transfer: Sent,
  fromAddress: string,
  { openApproval, openPayoutApproval }: StepOptions,
) => {
  const { id } = transfer
  if (isPayout(transfer))
    return judgePayoutApprovals(await readApprovals(db, openPayoutApproval, id), transfer, clock.now())
  const approvals = await readApprovals(db, openApproval, id)
  return judgeApprovals(approvals, approvableOf(transfer, fromAddress), clock.now())
}

const createSigning = (context: Context, { move, fail, wait }: Recording, options: StepOptions) => {
  const { db } = context
  return async (transfer: Sent, transfers: Transfers, signal: AbortSignal): Promise<void> => {
    const signing = await beginSigning(db, transfer.network)
    const { outstanding } = signing
    // Its nonce or outputs are unknown to the node until it is sent: wait for it.
    if (outstanding.some(({ status }) => status === 'signed')) return
    const fromAddress = transfers.addressOf(transfer.keyIndex)
    const missing = await missingApproval(context, transfer, fromAddress, options)
    if (missing !== null)
      return fail(transfer, missing.reason, 'no valid approval of the gateway covers exactly this transfer', {
        details: [missing],
      })
    if (!(await holds(transfer, transfers, signal)))
      return isPayout(transfer)
        ? wait(transfer, LACKING)
        : fail(transfer, LACKING, 'its address holds less than the amount to send')
    const signed = await transfers.sign(
      {
        fromIndex: transfer.keyIndex,
        asset: transfer.asset,
        toAddress: transfer.toAddress,
        amount: transfer.amount,
        ...coinsOf(transfer),
      },
      outstanding.map(signedOf),
      signal,
    )
    const fault = faultOfSigned({ ...transfer, fromAddress }, signed)
    if (fault !== null)
      throw new Error(`Transfer ${transfer.id} was signed incorrectly and is not sent: ${fault}`)
    const moved = await move(transfer, 'signed', { signed, networkFee: signed.networkFee, signing })
    if (typeof moved !== 'object') return
    if (isPayout(transfer)) await wait(transfer, moved.code)
    else await fail(transfer, moved.code, 'a limit of the signer is reached', { details: moved.details })
  }
}

/**
 * Performs the next step of one transfer. Every step is one call to the chain with what is known stored before it and
 * after it; no transaction is held across a call. What is signed is stored, and recorded, before any node sees it: after
 * a crash the same versions are sent again, never another one.
 */
export const createSteps = (context: Context, options: StepOptions) => {
  const recording = createRecording(context, options)
  const { move, fail, wait } = recording
  const sign = createSigning(context, recording, options)
  const replace = createReplacing(context, options)
  const failOnChain = (
    transfer: TransferRecord,
    version: SignedTransfer,
    { reason, networkFee }: Extract<TransferProgress, { state: 'failed' }>,
  ) => fail(transfer, reason, 'the transaction failed on the chain', { networkFee, version })

  /**
   * Decides about a transfer that no node accepted, from the chain: a node may have it nevertheless, or another transaction
   * replaced it. A transfer that all nodes refuse for its content can never be mined: it ends here, because the network's
   * next transfer waits for it and takes its nonce. One that they refuse for its fee is signed again with a higher one.
   */
  const judgeUnsent = async (
    transfer: TransferRecord,
    transfers: Transfers,
    error: unknown,
    signal: AbortSignal,
  ): Promise<void> => {
    const versions = versionsOf(transfer)
    const { version, progress } = await readProgress(transfers, versions, signal)
    if (progress.state === 'failed' && progress.confirmations >= options.confirmations)
      return failOnChain(transfer, version, progress)
    if (progress.state === 'unknown' && error instanceof TransferError)
      return fail(transfer, error.refusal, error.message)
    if (progress.state === 'unknown' && (await replace(transfer, transfers, versions, signal))) return
    if (progress.state === 'unknown' || progress.state === 'failed') throw error
    await markSent(transfer)
  }

  const markSent = (transfer: TransferRecord) =>
    move(transfer, 'broadcast', { facts: { tx_id: signedOf(transfer).txId } })

  const send = async (transfer: TransferRecord, transfers: Transfers, signal: AbortSignal): Promise<void> => {
    try {
      await broadcastVersions(transfers, versionsOf(transfer), signal)
    } catch (error) {
      return judgeUnsent(transfer, transfers, error, signal)
    }
    await markSent(transfer)
  }

  const follow = async (
    transfer: TransferRecord,
    transfers: Transfers,
    signal: AbortSignal,
  ): Promise<void> => {
    const versions = versionsOf(transfer)
    const { version, progress } = await readProgress(transfers, versions, signal)
    if (progress.state === 'unknown' || progress.state === 'waiting') {
      try {
        await broadcastVersions(transfers, versions, signal)
      } catch (error) {
        if (await replace(transfer, transfers, versions, signal)) return
        throw error
      }
      await replace(transfer, transfers, versions, signal)
      return
    }
    if (transfer.stuckAt !== null) await clearStuck(context.db, { id: transfer.id })
    if (progress.confirmations < options.confirmations) return
    if (progress.state === 'failed') return failOnChain(transfer, version, progress)
    await move(transfer, 'confirmed', {
      networkFee: progress.networkFee,
      version,
      facts: { tx_id: version.txId },
    })
  }

  const perform = (transfer: TransferRecord, transfers: Transfers, signal: AbortSignal): Promise<void> => {
    if (transfer.status === 'signed') return send(transfer, transfers, signal)
    if (transfer.status === 'broadcast') return follow(transfer, transfers, signal)
    if (isRefund(transfer) || isPayout(transfer)) return sign(transfer, transfers, signal)
    throw new Error(`Transfer ${transfer.id} is neither a refund nor a payout and is not signed`)
  }

  /** One step; what the network refuses for good before anything was signed ends the transfer. */
  return async (transfer: TransferRecord, transfers: Transfers, signal: AbortSignal): Promise<void> => {
    try {
      await perform(transfer, transfers, signal)
    } catch (error) {
      if (!(error instanceof TransferError) || transfer.status !== 'requested') throw error
      const isPassing = PASSING.has(error.refusal)
      if (isPayout(transfer) && (isPassing || error.refusal === LACKING)) await wait(transfer, error.refusal)
      else if (isPassing) throw error
      else await fail(transfer, error.refusal, error.message)
    }
  }
}
