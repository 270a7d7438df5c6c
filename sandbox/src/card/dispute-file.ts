import { DISPUTE_FEE } from './disputes.ts'
import type { Dispute } from './rows.ts'

/** decisions §10. An empty cell: the processor states no value. */
const HEADER = 'dispute_id,order_key,disputed_at,dispute_amount_cents,dispute_currency,fee_cents,fee_currency'

/** The periodic file of a processor that sends no dispute notices: all its disputes, oldest first. */
export const disputeFile = (disputes: readonly Dispute[]): string => {
  const lines = disputes.map((dispute) =>
    [
      dispute.disputeId,
      dispute.orderKey,
      new Date(dispute.openedAtMs).toISOString(),
      dispute.amountCents ?? '',
      dispute.currency ?? '',
      DISPUTE_FEE.cents,
      DISPUTE_FEE.currency,
    ].join(','),
  )
  return [HEADER, ...lines, ''].join('\r\n')
}
