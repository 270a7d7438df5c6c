import type { Refusal } from '@causeway/contracts'
import { refuse } from '@causeway/chassis'
import { ASSET_DECIMALS, toUnits } from '@causeway/rails'
import type { RefundRecord } from '../transfers/transfer.ts'

/** What payments asks to be paid back, in the terms of a transfer. */
export type RefundRequest = Readonly<
  Pick<RefundRecord, 'id' | 'network' | 'asset' | 'toAddress' | 'orderId' | 'keyIndex' | 'amount' | 'coins'>
> &
  /** The order's address as payments has it. */
  Readonly<{ address: string }>

/** What the signer itself knows of a request. */
type Known = Readonly<{
  /** Where staff allow the order to be paid back to; null: nothing is approved. */
  approvedAddress: string | null
  /** The address of the order's number under the signer's own key. */
  ownAddress: string
}>

type PolicyRefusal = Refusal<'invalid_request' | 'not_refundable' | 'amount_exceeds_remaining'>

/** Whether a new request is within what staff approved and of the signer's own wallet; the refusal where it is not. */
export const judgeRequest = (
  request: RefundRequest,
  { approvedAddress, ownAddress }: Known,
): PolicyRefusal | null => {
  if (request.toAddress !== approvedAddress)
    return refuse('not_refundable', [
      { field: 'to_address', reason: approvedAddress === null ? 'not_approved' : 'another_address_approved' },
    ])
  if (request.address !== ownAddress)
    return refuse('invalid_request', [
      {
        field: 'address',
        reason: 'invalid_value',
        expected: `the address that SIGNER_SEED_FILE gives for this number: ${request.network}_ACCOUNT of payments is another wallet`,
      },
    ])
  return null
}

/** Whether a repeated request asks for what the first one did; the refusal where it does not. */
export const judgeRepeat = (request: RefundRequest, first: RefundRecord): PolicyRefusal | null => {
  const decimals = ASSET_DECIMALS[first.asset]
  const fields = ['orderId', 'network', 'asset', 'keyIndex', 'toAddress'] as const
  const changed = fields.find((field) => request[field] !== first[field])
  if (changed !== undefined)
    return refuse('not_refundable', [{ field: changed, reason: 'another_than_requested_before' }])
  return toUnits(request.amount, decimals) > toUnits(first.amount, decimals)
    ? refuse('amount_exceeds_remaining', [{ requested_before: first.amount }])
    : null
}
