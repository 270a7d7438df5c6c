import { createStatementVerifier } from '@causeway/chassis'
import { PAYOUT_APPROVAL_PURPOSE, PayoutApproval, type Asset, type Network } from '@causeway/contracts'
import { ASSET_DECIMALS, toUnits } from '@causeway/rails/networks'
import { isAmount } from '../limits/limits.ts'

/** A payout requested by the ledger, in the terms of a transfer. */
export type PayoutRequest = Readonly<{
  id: string
  network: Network
  asset: Asset
  toAddress: string
  /** Amount that leaves the treasury, a decimal. */
  amount: string
}>

/** Returns a statement that access has signed; null for every other text. */
export type OpenPayoutApproval = (statement: string, signature: string) => PayoutApproval | null

/** @param keys the verifying keys of access: one, or two while the signing key is replaced */
export const createPayoutApprovalOpener = (keys: readonly Uint8Array[]): OpenPayoutApproval => {
  const verifies = createStatementVerifier(PAYOUT_APPROVAL_PURPOSE, keys)
  return (statement, signature) => {
    if (!verifies(statement, signature)) return null
    const parsed = PayoutApproval.safeParse(JSON.parse(statement))
    return parsed.success ? parsed.data : null
  }
}

const FIELDS = ['payout_id', 'network', 'asset', 'to_address'] as const
type Field = (typeof FIELDS)[number] | 'amount'

/** Why nothing may be signed. */
export type MissingPayoutApproval =
  | Readonly<{ reason: 'not_approved' | 'approval_expired' }>
  | Readonly<{ reason: 'another_approved'; field: Field }>

/** Checks whether two decimals are the same number of the asset. One with more decimals than the asset has equals none. */
const isSameAmount = (asset: Asset, first: string, second: string): boolean =>
  isAmount(asset, first) &&
  isAmount(asset, second) &&
  toUnits(first, ASSET_DECIMALS[asset]) === toUnits(second, ASSET_DECIMALS[asset])

const differs = (
  approval: PayoutApproval,
  { id, network, asset, toAddress, amount }: PayoutRequest,
): Field | undefined => {
  const asked = { payout_id: id, network, asset, to_address: toAddress }
  const field = FIELDS.find((each) => approval[each] !== asked[each])
  return field ?? (isSameAmount(asset, approval.amount, amount) ? undefined : 'amount')
}

/** Checks whether an approval, expired or not, allows exactly this: enough for what was signed before it expired. */
export const wasPayoutApproved = (approvals: readonly PayoutApproval[], request: PayoutRequest): boolean =>
  approvals.some((approval) => differs(approval, request) === undefined)

/** Checks whether an approval allows exactly this payout now; otherwise returns the newest one's reason. @param approvals newest first */
export const judgePayoutApprovals = (
  approvals: readonly PayoutApproval[],
  request: PayoutRequest,
  now: Date,
): MissingPayoutApproval | null => {
  const same = approvals.filter((approval) => differs(approval, request) === undefined)
  if (same.some(({ expires_at }) => new Date(expires_at) > now)) return null
  if (same.length > 0) return { reason: 'approval_expired' }
  const [newest] = approvals
  const field = newest && differs(newest, request)
  return field === undefined ? { reason: 'not_approved' } : { reason: 'another_approved', field }
}
