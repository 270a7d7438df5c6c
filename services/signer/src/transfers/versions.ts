import { RailError } from '@causeway/rails'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'
import type { SignedTransfer, TransferProgress, Transfers } from '@causeway/rails/transfers'
import type { TransferRecord } from './transfer.ts'

/** The versions of a transfer that were signed, newest first. They use the same coins or nonces: the chain takes one. */
export type Versions = readonly [SignedTransfer, ...SignedTransfer[]]

export const versionsOf = ({ id, signed, earlier }: TransferRecord): Versions => {
  if (signed === null) throw new Error(`Transfer ${id} is sent but has no signed transaction`)
  return [JSON.parse(signed) as SignedTransfer, ...(JSON.parse(earlier) as SignedTransfer[]).toReversed()]
}

/** A version and the state of its transaction. */
export type VersionProgress = Readonly<{ version: SignedTransfer; progress: TransferProgress }>

type Failed = Extract<TransferProgress, { state: 'failed' }>

const addFees = ({ feeAsset }: SignedTransfer, fees: readonly string[]): string => {
  const decimals = ASSET_DECIMALS[feeAsset]
  return fromUnits(
    fees.reduce((sum, fee) => sum + toUnits(fee, decimals), 0n),
    decimals,
  )
}

/** A version of several transactions may have paid for one of them although another version was mined. */
const arePairs = (versions: readonly SignedTransfer[]): boolean =>
  versions.length > 1 && versions.some(({ rawTransactions }) => rawTransactions.length > 1)

/**
 * Returns the state of a transfer from those of its versions, newest first: of the one that the chain took, with what all
 * of them cost. It has failed when a version was reverted, or each was replaced by a transaction that is not of the
 * transfer. An answer from the middle of a change counts as waiting: the next look is whole.
 */
export const judgeVersions = (found: readonly [VersionProgress, ...VersionProgress[]]): VersionProgress => {
  const [newest] = found
  const { version } = newest
  const failed = found.flatMap(({ progress }): Failed[] => (progress.state === 'failed' ? [progress] : []))
  const taken = found.find(
    ({ progress }) =>
      progress.state === 'mined' || (progress.state === 'failed' && progress.reason === 'reverted'),
  )
  if (taken !== undefined && taken.progress.state !== 'waiting' && taken.progress.state !== 'unknown') {
    const { progress } = taken
    const others = found.filter((each) => each !== taken)
    const isWhole = others.every((each) => each.progress.state === 'failed')
    if (!isWhole && arePairs(found.map((each) => each.version)))
      return { version, progress: { state: 'waiting' } }
    const fees = [progress, ...failed.filter((each) => each !== progress)].map((each) => each.networkFee)
    return { version: taken.version, progress: { ...progress, networkFee: addFees(version, fees) } }
  }
  const [first, ...others] = failed
  if (first !== undefined && failed.length === found.length) {
    const confirmations = Math.min(...failed.map((each) => each.confirmations))
    const networkFee = addFees(
      version,
      [first, ...others].map((each) => each.networkFee),
    )
    return { version, progress: { ...first, confirmations, networkFee } }
  }
  const isUnknown = found.every(({ progress }) => progress.state === 'unknown')
  return { version, progress: { state: isUnknown ? 'unknown' : 'waiting' } }
}

/** Reads the state of a transfer, from its newest version to the one that is mined. */
export const readProgress = async (
  transfers: Transfers,
  versions: Versions,
  signal: AbortSignal,
): Promise<VersionProgress> => {
  const [newest, ...earlier] = versions
  const mayStop = !arePairs(versions)
  const found: [VersionProgress, ...VersionProgress[]] = [
    { version: newest, progress: await transfers.progressOf(newest, signal) },
  ]
  for (const version of earlier) {
    if (mayStop && found.at(-1)?.progress.state === 'mined') break
    found.push({ version, progress: await transfers.progressOf(version, signal) })
  }
  return judgeVersions(found)
}

/** True for an error that says something of the version, not of the nodes. */
const isOfVersion = (error: unknown): boolean =>
  !(error instanceof RailError) || error.failure === 'unavailable'

/**
 * Sends the newest version that the nodes take: they may refuse a replacement that they took the earlier version of, and
 * then forget that.
 * @throws the error of a version that may still be taken, else that of the newest
 */
export const broadcastVersions = async (
  transfers: Transfers,
  versions: Versions,
  signal: AbortSignal,
): Promise<void> => {
  const errors: unknown[] = []
  for (const version of versions) {
    try {
      await transfers.broadcast(version, signal)
      return
    } catch (error) {
      errors.push(error)
      if (!isOfVersion(error)) break
    }
  }
  throw errors.find((error) => error instanceof RailError) ?? errors[0]
}
