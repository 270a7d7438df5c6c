import { createStatementVerifier } from '@causeway/chassis'
import { REFUND_APPROVAL_PURPOSE, RefundApproval, type Asset, type Network } from '@causeway/contracts'

/** Returns a statement that the gateway has signed; null for every other text. */
export type OpenApproval = (statement: string, signature: string) => RefundApproval | null

/** @param keys the verifying keys of the gateway: one, or two while the signing key is replaced */
export const createApprovalOpener = (keys: readonly Uint8Array[]): OpenApproval => {
  const verifies = createStatementVerifier(REFUND_APPROVAL_PURPOSE, keys)
  return (statement, signature) => {
    if (!verifies(statement, signature)) return null
    const parsed = RefundApproval.safeParse(JSON.parse(statement))
    return parsed.success ? parsed.data : null
  }
}

/** Fields of a transfer that an approval contains. */
export type Approvable = Pick<
  RefundApproval,
  | 'refund_id'
  | 'order_id'
  | 'unattributed_money_id'
  | 'network'
  | 'asset'
  | 'from_address'
  | 'to_address'
  | 'amount'
>

/** @param fromAddress the address of the transfer's number under the signer's own key */
export const approvableOf = (
  {
    id,
    orderId,
    unattributedMoneyId,
    network,
    asset,
    toAddress,
    amount,
  }: Readonly<{
    id: string
    orderId: string | null
    unattributedMoneyId: string | null
    network: Network
    asset: Asset
    toAddress: string
    amount: string
  }>,
  fromAddress: string,
): Approvable => ({
  refund_id: id,
  order_id: orderId,
  unattributed_money_id: unattributedMoneyId,
  network,
  asset,
  from_address: fromAddress,
  to_address: toAddress,
  amount,
})

/** Why nothing may be signed. */
type Missing =
  | Readonly<{ reason: 'not_approved' | 'approval_expired' }>
  | Readonly<{ reason: 'another_approved'; field: keyof Approvable }>

const FIELDS = [
  'refund_id',
  'order_id',
  'unattributed_money_id',
  'network',
  'asset',
  'from_address',
  'to_address',
  'amount',
] as const

const differs = (approval: RefundApproval, asked: Approvable): keyof Approvable | undefined =>
  FIELDS.find((field) => approval[field] !== asked[field])

/** Checks whether an approval, expired or not, allows exactly this: enough for what was signed before it expired. */
export const wasApproved = (approvals: readonly RefundApproval[], asked: Approvable): boolean =>
  approvals.some((approval) => differs(approval, asked) === undefined)

/** Checks whether an approval of the refund allows exactly this now; otherwise returns the newest one's reason. @param approvals newest first */
export const judgeApprovals = (
  approvals: readonly RefundApproval[],
  asked: Approvable,
  now: Date,
): Missing | null => {
  const same = approvals.filter((approval) => differs(approval, asked) === undefined)
  if (same.some(({ expires_at }) => new Date(expires_at) > now)) return null
  if (same.length > 0) return { reason: 'approval_expired' }
  const [newest] = approvals
  const field = newest && differs(newest, asked)
  return field === undefined ? { reason: 'not_approved' } : { reason: 'another_approved', field }
}
