import { ASSET_DECIMALS, toUnits } from '@causeway/rails'
import type { SignedTransfer } from '@causeway/rails/transfers'
import type { RefundRecord } from './transfer.ts'

/**
 * What a signed transfer does that its request does not allow, or null. Checked before it is stored: nothing that fails
 * here is ever broadcast.
 */
export const faultOfSigned = (
  request: RefundRecord & Readonly<{ fromAddress: string }>,
  signed: SignedTransfer,
): string | null => {
  const [source, ...others] = signed.sources
  if (source?.index !== request.keyIndex || source.address !== request.fromAddress || others.length > 0)
    return 'it spends from another address'
  if (signed.toAddress !== request.toAddress) return 'it pays another address'
  if (signed.network !== request.network || signed.asset !== request.asset) return 'it moves another asset'
  const decimals = ASSET_DECIMALS[request.asset]
  const fee = signed.feeAsset === request.asset ? toUnits(signed.networkFee, decimals) : 0n
  return toUnits(signed.amount, decimals) + fee > toUnits(request.amount, decimals)
    ? 'it moves more than was asked for'
    : null
}
