import { decodeXAddress } from '../../chain/formats/xrp-address.ts'
import { RailError } from '../../rail-error.ts'
import type { OnrampRequest } from '../adapter.ts'

/** Banxa takes an account of the XRP Ledger and its tag in two fields. */
const walletOf = ({ blockchain, address }: OnrampRequest) => {
  if (blockchain !== 'XRP') return { walletAddress: address }
  const { classicAddress, tag } = decodeXAddress(address)
  return { walletAddress: classicAddress, walletAddressTag: String(tag) }
}

/**
 * Body of `POST /{partner}/v2/buy`. It requests the crypto amount that has to arrive, with fees on top: Banxa uses it
 * also when the fiat amount is given. Every purchase is a new customer at Banxa: the platform does not know payers, and
 * one payer must never be taken for another.
 * @throws RailError `refused` for SOL, where a deposit is recognised by a reference that a purchase cannot carry
 */
export const toBuyBody = (request: OnrampRequest, fallbackReturnUrl: string) => {
  if (request.blockchain === 'SOL')
    throw new RailError('refused', 'a purchase on SOL would arrive without the reference of its order')
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
