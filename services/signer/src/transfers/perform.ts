import { appendFacts, type KeylessServiceContext } from '@causeway/chassis'
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
import { approvableOf, judgeApprovals, type OpenApproval } from '../refund-approvals/approvals.ts'
import { readApprovals } from '../refund-approvals/recorded.ts'
import { factsOfStep } from './facts.ts'
import { faultOfSigned } from './fault-of-signed.ts'
import { beginSigning, finishSigning, type Signing } from './signings.ts'
import { moveTransfer } from './store.ts'
import { coinsOf, isRefund, PASSING, type RefundRecord, type TransferRecord } from './transfer.ts'

type Change = Readonly<{
  failure?: string
  details?: readonly ErrorDetail[] | undefined
  /** State of the network's signings at the signature. */
  signing?: Signing
  signed?: SignedTransfer
  networkFee?: string
  facts?: Readonly<Record<string, unknown>>
}>

type Context = Pick<KeylessServiceContext, 'db' | 'clock' | 'log'>

export type StepOptions = Readonly<{
  /** Confirmations at which a transfer is done, or has failed for good. */
  confirmations: number
  /** When a transfer that is under way is looked at again. */
  againMs: number
  /** Limits of the signer's refunds. */
  limits: Limits
  openApproval: OpenApproval
}>

const signedOf = ({ id, signed }: TransferRecord): SignedTransfer => {
  if (signed === null) throw new Error(`Transfer ${id} is sent but has no signed transaction`)
  return JSON.parse(signed) as SignedTransfer
}

/** Records the steps of transfers. */
const createRecording = ({ db, clock, log }: Context, { againMs, limits }: StepOptions) => {
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
      const limited = to === 'signed' && isRefund(transfer) ? await spend(tx, transfer, limits, now) : null
      if (limited !== null) return limited
      const isOver = to === 'confirmed' || to === 'failed'
      const moved = await moveTransfer(tx, {
        id: transfer.id,
        from: transfer.status,
        to,
        failure: change.failure ?? null,
        signed: change.signed === undefined ? null : JSON.stringify(change.signed),
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
      if (to !== 'signed')
        await appendFacts(tx, 'signer', factsOfStep(transfer, { step: to, at: now, networkFee }))
      return true
    })

  const fail = async (
    transfer: TransferRecord,
    failure: string,
    reason: string,
    known: Pick<Change, 'details' | 'networkFee'> = {},
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
  return { move, fail }
}
type Recording = ReturnType<typeof createRecording>

/** Checks on the chain whether the address holds the amount, independent of payments. */
const holds = async (transfer: RefundRecord, transfers: Transfers, signal: AbortSignal): Promise<boolean> => {
  // Named deposits are looked up when the transfer is signed, quickly, unlike all deposits of an address.
  if (transfer.coins !== '[]') return true
  const decimals = ASSET_DECIMALS[transfer.asset]
  const balance = await transfers.balanceOf(transfer.keyIndex, transfer.asset, signal)
  return toUnits(balance, decimals) >= toUnits(transfer.amount, decimals)
}

/** Why nothing may be signed: by the record, read anew now, whatever was judged when it was requested. */
const missingApproval = async (
  { db, clock }: Context,
  transfer: RefundRecord,
  fromAddress: string,
  open: OpenApproval,
) =>
  judgeApprovals(await readApprovals(db, open, transfer.id), approvableOf(transfer, fromAddress), clock.now())

const createSigning = (context: Context, { move, fail }: Recording, { openApproval }: StepOptions) => {
  const { db } = context
  return async (transfer: RefundRecord, transfers: Transfers, signal: AbortSignal): Promise<void> => {
    const signing = await beginSigning(db, transfer.network)
    const { outstanding } = signing
    // Its nonce or outputs are unknown to the node until it is sent: wait for it.
    if (outstanding.some(({ status }) => status === 'signed')) return
    const fromAddress = transfers.addressOf(transfer.keyIndex)
    const missing = await missingApproval(context, transfer, fromAddress, openApproval)
    if (missing !== null)
      return fail(transfer, missing.reason, 'no valid approval of the gateway covers exactly this transfer', {
        details: [missing],
      })
    if (!(await holds(transfer, transfers, signal)))
      return fail(transfer, 'insufficient_funds', 'its address holds less than the amount to send')
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
    if (typeof moved === 'object')
      await fail(transfer, moved.code, 'a limit of the signer is reached', { details: moved.details })
  }
}

/**
 * Performs the next step of one transfer. Every step is one call to the chain with what is known stored before it and
 * after it; no transaction is held across a call. What is signed is stored, and recorded, before any node sees it: after
 * a crash the same transaction is sent again, never another one.
 */
export const createSteps = (context: Context, options: StepOptions) => {
  const recording = createRecording(context, options)
  const { move, fail } = recording
  const failOnChain = (
    transfer: TransferRecord,
    { reason, networkFee }: Extract<TransferProgress, { state: 'failed' }>,
  ) => fail(transfer, reason, 'the transaction failed on the chain', { networkFee })
  const sign = createSigning(context, recording, options)

  /**
   * Decides about a transfer that no node accepted, from the chain: a node may have it nevertheless, or another transaction
   * replaced it. A transfer that all nodes refuse for its content can never be mined: it ends here, because the network's
   * next transfer waits for it and takes its nonce.
   */
  const judgeUnsent = async (
    transfer: TransferRecord,
    transfers: Transfers,
    error: unknown,
    signal: AbortSignal,
  ): Promise<void> => {
    const progress = await transfers.progressOf(signedOf(transfer), signal)
    if (progress.state === 'failed' && progress.confirmations >= options.confirmations)
      return failOnChain(transfer, progress)
    if (progress.state === 'unknown' && error instanceof TransferError)
      return fail(transfer, error.refusal, error.message)
    if (progress.state === 'unknown' || progress.state === 'failed') throw error
    await markSent(transfer)
  }

  const markSent = (transfer: TransferRecord) =>
    move(transfer, 'broadcast', { facts: { tx_id: signedOf(transfer).txId } })

  const send = async (transfer: TransferRecord, transfers: Transfers, signal: AbortSignal): Promise<void> => {
    try {
      await transfers.broadcast(signedOf(transfer), signal)
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
    const signed = signedOf(transfer)
    const progress = await transfers.progressOf(signed, signal)
    if (progress.state === 'unknown' || progress.state === 'waiting')
      return transfers.broadcast(signed, signal)
    if (progress.confirmations < options.confirmations) return
    if (progress.state === 'failed') return failOnChain(transfer, progress)
    await move(transfer, 'confirmed', {
      networkFee: progress.networkFee,
      facts: { tx_id: signed.txId },
    })
  }

  const perform = (transfer: TransferRecord, transfers: Transfers, signal: AbortSignal): Promise<void> => {
    if (transfer.status === 'signed') return send(transfer, transfers, signal)
    if (transfer.status === 'broadcast') return follow(transfer, transfers, signal)
    if (isRefund(transfer)) return sign(transfer, transfers, signal)
    throw new Error(`Transfer ${transfer.id} is not a refund and is not signed`)
  }

  /** One step; what the network refuses for good before anything was signed ends the transfer. */
  return async (transfer: TransferRecord, transfers: Transfers, signal: AbortSignal): Promise<void> => {
    try {
      await perform(transfer, transfers, signal)
    } catch (error) {
      const isFinal =
        error instanceof TransferError && !PASSING.has(error.refusal) && transfer.status === 'requested'
      if (!isFinal) throw error
      await fail(transfer, error.refusal, error.message)
    }
  }
}
