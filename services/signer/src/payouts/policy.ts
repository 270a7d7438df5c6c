import { refuse } from '@causeway/chassis'
import type { Refusal } from '@causeway/contracts'
import { ASSET_DECIMALS, toUnits } from '@causeway/rails/networks'
import { isAmount } from '../limits/limits.ts'
import type { PayoutRequest } from '../payout-approvals/approvals.ts'
import type { PayoutRecord } from '../transfers/transfer.ts'

/** Checks whether the amount is one of its asset, and above 0. */
export const judgeAmount = ({
  amount,
  asset,
}: Pick<PayoutRequest, 'amount' | 'asset'>): Refusal<'invalid_request'> | null =>
  isAmount(asset, amount) && toUnits(amount, ASSET_DECIMALS[asset]) > 0n
    ? null
    : refuse('invalid_request', [{ field: 'amount', reason: 'invalid_value' }])

/** Checks whether a repeated request equals the first one; returns the refusal if not. */
export const judgeRepeat = (request: PayoutRequest, first: PayoutRecord): Refusal<'invalid_state'> | null => {
  const field = (['network', 'asset', 'toAddress', 'amount'] as const).find(
    (each) => request[each] !== first[each],
  )
  return field === undefined
    ? null
    : refuse('invalid_state', [{ field, reason: 'another_than_requested_before' }])
}
