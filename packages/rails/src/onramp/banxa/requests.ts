import { decodeXAddress } from '../../chain/formats/xrp-address.ts'
import { RailError } from '../../rail-error.ts'
import type { OnrampRequest } from '../adapter.ts'

/** An account of the XRP Ledger and its tag are two fields at Banxa. */
const walletOf = ({ blockchain, address }: OnrampRequest) => {
  if (blockchain !== 'XRP') return { walletAddress: address }
  const { classicAddress, tag } = decodeXAddress(address)
  return { walletAddress: classicAddress, walletAddressTag: String(tag) }
}

/**
 * Body of `POST /{partner}/v2/buy`. The amount requested is what has to arrive, fees on top: given both amounts, Banxa
 * uses this one too. Every purchase is a customer of its own: the platform does not know payers, and a payer
 * must never be recognised as another.
 * @throws RailError `refused` for SOL, where a deposit is recognised by a reference that a purchase cannot carry
 */
export const toBuyBody = (request: OnrampRequest, fallbackReturnUrl: string) => {
  if (request.blockchain === 'SOL')
    throw new RailError('refused', 'what is bought on SOL would come without the reference of its order')
  return {
    crypto: request.crypto,
    blockchain: request.blockchain,
    fiat: request.fiat,
    cryptoAmount: request.cryptoAmount,
    ...walletOf(request),
    redirectUrl: request.returnUrl ?? fallbackReturnUrl,
    externalCustomerId: request.onrampOrderId,
    externalOrderId: request.onrampOrderId,
  }
}
