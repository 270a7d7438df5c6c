import { queryOne } from '@causeway/chassis'
import { PayoutWalletStatus } from '@causeway/contracts'
import { z } from 'zod'

const DestinationRow = z.object({
  merchantId: z.string(),
  unit: z.string(),
  status: PayoutWalletStatus,
  deletedAt: z.date().nullable(),
})
export type DestinationRow = Readonly<z.infer<typeof DestinationRow>>

/**
 * Locks a destination of a customer that has granted withdrawals, a deleted one too: nobody deletes or refuses it before
 * the transaction ends, and payouts to it do not wait for each other.
 */
export const lockDestination = queryOne({
  name: 'withdrawals.lock-destination',
  parameters: { partnerId: 'text', partnerCustomerId: 'text', payoutWalletId: 'text' },
  text: `
    SELECT r.merchant_id, w.unit, w.status, w.deleted_at
    FROM payout_wallets AS w JOIN relationships AS r ON r.partner_customer_id = w.partner_customer_id
    WHERE w.payout_wallet_id = :payoutWalletId AND w.partner_customer_id = :partnerCustomerId
      AND r.partner_id = :partnerId AND r.status = 'active' AND 'withdrawals' = ANY (r.grants)
    FOR SHARE OF w`,
  row: DestinationRow,
})
