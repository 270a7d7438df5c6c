import type { PayoutWallet, StaffPayoutWallet } from '@causeway/contracts'
import { hasProof } from '@causeway/rails/ownership'
import { proofMessage } from './rules.ts'
import type { WalletRow } from './store.ts'

/** The message that proves an address, where its network has proofs; null otherwise. */
export const messageOf = (row: WalletRow, publicBaseUrl: string): string | null =>
  row.address === null || row.network === null || !hasProof(row.network)
    ? null
    : proofMessage({ ...row, address: row.address }, publicBaseUrl)

export const presentWallet = (row: WalletRow, publicBaseUrl: string): PayoutWallet => {
  const isOpen = row.provedAt === null && row.status !== 'refused'
  const message = isOpen ? messageOf(row, publicBaseUrl) : null
  return {
    payout_wallet_id: row.payoutWalletId,
    partner_customer_id: row.partnerCustomerId,
    kind: row.kind,
    unit: row.unit,
    masked: row.masked,
    address: row.address,
    status: row.status,
    confirmed_at: row.confirmedAt?.toISOString() ?? null,
    proved_at: row.provedAt?.toISOString() ?? null,
    usable_from: row.usableFrom.toISOString(),
    proof: message === null ? null : { message },
    refusal_reason: row.refusalReason,
    created_at: row.createdAt.toISOString(),
  }
}

export const presentToStaff = (row: WalletRow, publicBaseUrl: string): StaffPayoutWallet => ({
  ...presentWallet(row, publicBaseUrl),
  partner_id: row.partnerId,
  customer_id: row.merchantId,
})
