import type { SignedTransfer, TransferProgress } from './transfers.ts'

/** `confirmationsOf` from a progress. */
export const confirmationsIn = (progress: TransferProgress): number | null =>
  progress.state === 'mined' ? progress.confirmations : progress.state === 'waiting' ? 0 : null

/** Numbers of the addresses that these transfers move money from. */
export const busyIn = (outstanding: readonly SignedTransfer[]): ReadonlySet<number> =>
  new Set(outstanding.flatMap(({ sources }) => sources.map(({ index }) => index)))
