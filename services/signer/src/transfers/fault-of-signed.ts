import { isDeepStrictEqual } from 'node:util'
import { ASSET_DECIMALS, toUnits } from '@causeway/rails/networks'
import type { SignedTransfer, Transfers } from '@causeway/rails/transfers'
import { isPayout, isRefund, type PayoutRecord, type RefundRecord, type TransferRecord } from './transfer.ts'
import type { Versions } from './versions.ts'

/**
 * Returns how a signed transfer violates its request, or null. Checked before it is stored: a transfer that fails here is
 * never broadcast.
 */
export const faultOfSigned = (
  request: (RefundRecord | PayoutRecord) & Readonly<{ fromAddress: string }>,
  signed: SignedTransfer,
): string | null => {
  const [source, ...others] = signed.sources
  if (source?.index !== request.keyIndex || source.address !== request.fromAddress || others.length > 0)
    return 'it spends from another address'
  if (signed.toAddress !== request.toAddress) return 'it pays to another address'
  if (signed.network !== request.network || signed.asset !== request.asset)
    return 'it transfers another asset'
  const decimals = ASSET_DECIMALS[request.asset]
  const fee = signed.feeAsset === request.asset ? toUnits(signed.networkFee, decimals) : 0n
  return toUnits(signed.amount, decimals) + fee > toUnits(request.amount, decimals)
    ? 'it transfers more than requested'
    : null
}

/** Amount that leaves, in units: what arrives, and a fee that is paid in the asset. */
const leavesOf = ({ asset, feeAsset, amount, networkFee }: SignedTransfer): bigint =>
  toUnits(amount, ASSET_DECIMALS[asset]) +
  (feeAsset === asset ? toUnits(networkFee, ASSET_DECIMALS[feeAsset]) : 0n)

/** Fields that every version of a transfer has alike. */
const ALIKE = ['network', 'asset', 'feeAsset', 'toAddress', 'sources', 'spends', 'signedAt'] as const

/**
 * Returns how a new version violates its request or the versions before it, or null. Checked before it is stored, as
 * {@link faultOfSigned} is: a version that differs in anything but the fee is never broadcast.
 */
export const faultOfReplacement = (
  transfer: TransferRecord,
  { addressOf }: Pick<Transfers, 'addressOf'>,
  versions: Versions,
  signed: SignedTransfer,
): string | null => {
  const [newest] = versions
  if (signed.toAddress !== transfer.toAddress) return 'it pays to another address'
  if (signed.network !== transfer.network || signed.asset !== transfer.asset)
    return 'it transfers another asset'
  const changed = ALIKE.find((field) => !isDeepStrictEqual(signed[field], newest[field]))
  if (changed !== undefined) return `it differs from the version before it in ${changed}`
  if (leavesOf(signed) !== leavesOf(newest)) return 'it transfers another amount'
  const decimals = ASSET_DECIMALS[signed.feeAsset]
  if (toUnits(signed.networkFee, decimals) <= toUnits(newest.networkFee, decimals))
    return 'its fee is not higher'
  const known = new Set(versions.flatMap(({ rawTransactions }) => rawTransactions))
  if (signed.rawTransactions.some((raw) => known.has(raw)))
    return 'it has a transaction of an earlier version'
  return isRefund(transfer) || isPayout(transfer)
    ? faultOfSigned({ ...transfer, fromAddress: addressOf(transfer.keyIndex) }, signed)
    : null
}
