import { refuse } from '@causeway/chassis'
import type { Refusal } from '@causeway/contracts'
import { ASSET_DECIMALS, fiatWorth, MINIMUM_AMOUNTS, quote, toUnits } from '@causeway/rails/networks'
import type { CreationRequest } from './preparation.ts'

/** Decimals of the request's own amount. */
const FIAT_DECIMALS = 2

/**
 * Refuses an order whose amount in the asset is one that nodes do not relay, or that is never worth a transfer. The
 * details say the least amount in the asset, and what that costs at this rate.
 */
export const refuseTooSmall = (
  { network, asset, currency, amount: fiatAmount }: CreationRequest['body'],
  price: string,
): Refusal<'invalid_request'> | null => {
  const decimals = ASSET_DECIMALS[asset]
  const minimum = MINIMUM_AMOUNTS[asset]
  const due = quote({ network, asset, fiatAmount, price }).amount
  if (toUnits(due, decimals) >= toUnits(minimum, decimals)) return null
  const worth = fiatWorth(minimum, price, FIAT_DECIMALS)
  return refuse('invalid_request', [
    {
      field: 'amount',
      reason: 'too_small',
      expected: `at least ${minimum} ${asset}, about ${worth} ${currency}`,
      minimum: { asset, amount: minimum, currency, fiat_amount: worth },
    },
  ])
}
