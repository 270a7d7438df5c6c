import type { Refusal, RefundApproval } from '@causeway/contracts'
import { refuse } from '@causeway/chassis'
import { ASSET_DECIMALS, canonicalAddress, toUnits } from '@causeway/rails/networks'
import { isAmount } from '../limits/limits.ts'
import { approvableOf, judgeApprovals } from '../refund-approvals/approvals.ts'
import type { RefundRecord } from '../transfers/transfer.ts'

/** A refund requested by payments, in the terms of a transfer. */
export type RefundRequest = Readonly<
  Pick<
    RefundRecord,
    | 'id'
    | 'network'
    | 'asset'
    | 'toAddress'
    | 'orderId'
    | 'unattributedMoneyId'
    | 'keyIndex'
    | 'amount'
    | 'coins'
  >
> &
  /** The order's address as payments has it. */
  Readonly<{ address: string }>

type PolicyRefusal = Refusal<'invalid_request' | 'not_refundable' | 'amount_exceeds_remaining'>

/** Checks whether the amount is valid for its asset, and the address is the signer's. */
export const judgeSource = (
  { address, amount, asset, network }: Pick<RefundRequest, 'address' | 'amount' | 'asset' | 'network'>,
  ownAddress: string,
): Refusal<'invalid_request'> | null => {
  if (!isAmount(asset, amount))
    return refuse('invalid_request', [{ field: 'amount', reason: 'invalid_value' }])
  if (address === ownAddress) return null
  return refuse('invalid_request', [
    {
      field: 'address',
      reason: 'invalid_value',
      expected: `the address that SIGNER_SEED_FILE gives for this number: ${network}_ACCOUNT of payments is another wallet`,
    },
  ])
}

/** Refuses to send to the platform's own addresses that payments does not know. */
export const judgeRecipient = (
  { network, toAddress }: Pick<RefundRequest, 'network' | 'toAddress'>,
  own: readonly (string | null | undefined)[],
): Refusal<'invalid_request'> | null => {
  const recipient = canonicalAddress(network, toAddress)
  return own.some((address) => address && canonicalAddress(network, address) === recipient)
    ? refuse('invalid_request', [{ field: 'to_address', reason: 'forbidden_address' }])
    : null
}

/** Checks whether a new request is exactly what staff approved; returns the refusal if not. */
export const judgeApproved = (
  request: RefundRequest,
  approvals: readonly RefundApproval[],
  now: Date,
): Refusal<'not_refundable'> | null => {
  const missing = judgeApprovals(approvals, approvableOf(request, request.address), now)
  return missing && refuse('not_refundable', [missing])
}

/** Checks whether a repeated request equals the first one; returns the refusal if not. */
export const judgeRepeat = (request: RefundRequest, first: RefundRecord): PolicyRefusal | null => {
  const decimals = ASSET_DECIMALS[first.asset]
  const fields = ['orderId', 'unattributedMoneyId', 'network', 'asset', 'keyIndex', 'toAddress'] as const
  const changed = fields.find((field) => request[field] !== first[field])
  if (changed !== undefined)
    return refuse('not_refundable', [{ field: changed, reason: 'another_than_requested_before' }])
  return toUnits(request.amount, decimals) > toUnits(first.amount, decimals)
    ? refuse('amount_exceeds_remaining', [{ requested_before: first.amount }])
    : null
}
