import type { Asset, DepositBucket } from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'
import { z } from 'zod'

/** How much of a deposit is in each bucket, in the asset's smallest unit (decisions §52). */
export type Split = Readonly<Record<DepositBucket, bigint>>

export const NOTHING: Split = { open: 0n, applied: 0n, excess: 0n, late: 0n, foreign: 0n }

/** A split as the database keeps it, decimal in the asset; nulls for a deposit that does not count. */
export const SplitColumns = z.object({
  openAmount: z.string().nullable(),
  appliedAmount: z.string().nullable(),
  excessAmount: z.string().nullable(),
  lateAmount: z.string().nullable(),
  foreignAmount: z.string().nullable(),
})
type SplitColumns = Readonly<z.infer<typeof SplitColumns>>

/** @returns null for a deposit that was not split */
export const readSplit = (asset: Asset, columns: SplitColumns): Split | null => {
  const decimals = ASSET_DECIMALS[asset]
  const read = (amount: string | null) => (amount === null ? 0n : toUnits(amount, decimals))
  return columns.openAmount === null
    ? null
    : {
        open: read(columns.openAmount),
        applied: read(columns.appliedAmount),
        excess: read(columns.excessAmount),
        late: read(columns.lateAmount),
        foreign: read(columns.foreignAmount),
      }
}

/** The part in a bucket as the database keeps it; null for a deposit that does not count. */
export const writePart = (
  { asset, split }: Readonly<{ asset: Asset; split: Split | null }>,
  bucket: DepositBucket,
): string | null => (split === null ? null : fromUnits(split[bucket], ASSET_DECIMALS[asset]))
