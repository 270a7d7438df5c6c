import type { KeylessServiceContext } from '@causeway/chassis'
import type { Network } from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'
import { TransferError, type SignedTransfer, type Transfers } from '@causeway/rails/transfers'
import { appendRecord } from '../record/store.ts'
import { wasPayoutApproved, type OpenPayoutApproval } from '../payout-approvals/approvals.ts'
import { readApprovals } from '../record/approvals.ts'
import { approvableOf, wasApproved, type OpenApproval } from '../refund-approvals/approvals.ts'
import { faultOfReplacement } from './fault-of-signed.ts'
import { addVersion, markStuck } from './store.ts'
import { isPayout, isRefund, type TransferRecord } from './transfer.ts'
import type { Versions } from './versions.ts'

/** When a transfer that is not mined is signed again with a higher fee, and how often. */
export type Replacements = Readonly<{
  /** Blocks after the newest version was signed, by network; 0: never. */
  afterBlocks: Readonly<Record<Network, number>>
  /** Replacements of one transfer, at most. */
  max: number
  /** Most percent of the amount that a fee may be which is paid from it. */
  feeMaxPercent: number
}>

type Context = Pick<KeylessServiceContext, 'db' | 'clock' | 'log'>
export type ReplacingOptions = Readonly<{
  replacements: Replacements
  openApproval: OpenApproval
  openPayoutApproval: OpenPayoutApproval
  /** Where addresses of paid orders are emptied to. */
  sweepAddresses: Readonly<Partial<Record<Network, string>>>
}>

/** The most that a fee may be, a decimal; null where it is not paid from the amount. */
const feeMaxOf = ({ asset, feeAsset, sources }: SignedTransfer, percent: number): string | null => {
  if (asset !== feeAsset) return null
  const decimals = ASSET_DECIMALS[asset]
  const leaves = sources.reduce((sum, { amount }) => sum + toUnits(amount, decimals), 0n)
  return fromUnits((leaves * BigInt(percent)) / 100n, decimals)
}

/**
 * Returns why the signer's own records do not allow a further version, or null. An approval that has expired is enough: it
 * was valid when the first version was signed, which the chain may take at any time, and no version moves more.
 */
const missingPermission = async (
  { db }: Context,
  transfer: TransferRecord,
  { addressOf }: Transfers,
  { openApproval, openPayoutApproval, sweepAddresses }: ReplacingOptions,
): Promise<string | null> => {
  if (isPayout(transfer)) {
    const approved = await readApprovals(db, openPayoutApproval, transfer.id)
    return wasPayoutApproved(approved, transfer) ? null : 'not_approved'
  }
  if (!isRefund(transfer))
    return sweepAddresses[transfer.network] === transfer.toAddress ? null : 'another_sweep_address'
  const approvals = await readApprovals(db, openApproval, transfer.id)
  return wasApproved(approvals, approvableOf(transfer, addressOf(transfer.keyIndex))) ? null : 'not_approved'
}

/**
 * Replaces a transfer that no block took for long by a version with a higher fee (ADR 0087). The version is stored and
 * recorded before any node sees it. @returns whether there is a new version, which the next step sends
 */
export const createReplacing = (context: Context, options: ReplacingOptions) => {
  const { db, clock, log } = context
  const { afterBlocks, max, feeMaxPercent } = options.replacements

  const markAsStuck = async ({ id, network, stuckAt }: TransferRecord, reason: string, detail: string) => {
    if (stuckAt !== null || (await markStuck(db, { id, now: clock.now() })) === null) return
    log.warn(
      { event: 'signer.transfer_stuck', transferId: id, network, reason, detail },
      'A transfer is not mined, and its fee is not raised any further',
    )
  }

  const sign = async (
    transfer: TransferRecord,
    newest: SignedTransfer,
    transfers: Transfers,
    signal: AbortSignal,
  ): Promise<SignedTransfer | null> => {
    try {
      return await transfers.signReplacement(newest, feeMaxOf(newest, feeMaxPercent), signal)
    } catch (error) {
      if (!(error instanceof TransferError)) throw error
      await markAsStuck(transfer, error.refusal, error.message)
      return null
    }
  }

  const store = (transfer: TransferRecord, [newest, ...before]: Versions, signed: SignedTransfer) =>
    db.transaction(async (tx) => {
      const now = clock.now()
      const { id, orderId, earlier: earlierBefore } = transfer
      const earlier = [newest, ...before].toReversed()
      const { networkFee } = signed
      const stored = await addVersion(tx, {
        ...{ id, earlierBefore, networkFee, now },
        earlier: JSON.stringify(earlier),
        signed: JSON.stringify(signed),
      })
      if (stored === null) return false
      const version = earlier.length + 1
      // The protected index `records_step` has a subject signed once: so each version is.
      await appendRecord(tx, {
        ...{ kind: 'signed', subject: `${id}/${version}`, now, transfer_id: id, version, signed },
        ...(orderId !== null && { order_id: orderId }),
      })
      return true
    })

  return async (
    transfer: TransferRecord,
    transfers: Transfers,
    versions: Versions,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const [newest] = versions
    const after = afterBlocks[transfer.network]
    if (after === 0) return false
    const waited = (await transfers.height(signal)) - (newest.replacedAt ?? newest.signedAt)
    if (waited < after) return false
    if (versions.length > max) {
      await markAsStuck(transfer, 'last_version', `${versions.length} versions were signed`)
      return false
    }
    const missing = await missingPermission(context, transfer, transfers, options)
    if (missing !== null) {
      await markAsStuck(transfer, missing, 'the records of the signer do not allow a further version')
      return false
    }
    const signed = await sign(transfer, newest, transfers, signal)
    if (signed === null) return false
    const fault = faultOfReplacement(transfer, transfers, versions, signed)
    if (fault !== null)
      throw new Error(`A version of transfer ${transfer.id} was signed incorrectly and is not sent: ${fault}`)
    const isStored = await store(transfer, versions, signed)
    if (isStored)
      log.info(
        {
          event: 'signer.transfer_replaced',
          transferId: transfer.id,
          network: transfer.network,
          version: versions.length + 1,
          networkFee: signed.networkFee,
          before: newest.networkFee,
        },
        'A transfer that is not mined was signed again with a higher fee',
      )
    return isStored
  }
}
