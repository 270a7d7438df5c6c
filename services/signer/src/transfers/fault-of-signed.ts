import { ASSET_DECIMALS, toUnits } from '@causeway/rails/networks'
import type { SignedTransfer } from '@causeway/rails/transfers'
import type { RefundRecord } from './transfer.ts'

/**
 * Returns how a signed transfer violates its request, or null. Checked before it is stored: a transfer that fails here is
 * never broadcast.
 */
export const faultOfSigned = (
  request: RefundRecord & Readonly<{ fromAddress: string }>,
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
