import { z } from 'zod'
import { get } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { CryptoOrderStatus } from './crypto-orders.ts'
import { Asset, Network } from './networks.ts'
import { cursorParameter, DecimalString, idOf, limitParameter, NextCursor, Timestamp } from '../primitives.ts'

/** Money that arrived after its order had ended and counts for nothing: unattributed money of the kind `late`. */
export const LatePayment = z.object({
  late_payment_id: idOf('latePayment'),
  order_id: idOf('cryptoOrder'),
  partner_id: idOf('partner'),
  partner_customer_id: idOf('relationship'),
  customer_id: idOf('merchant'),
  reference: z.string(),
  /** The last onramp order that held the order, or null. */
  onramp_order_id: idOf('onrampOrder').nullable(),
  /** Present status of the order. */
  order_status: CryptoOrderStatus,
  network: Network,
  asset: Asset,
  amount: DecimalString,
  address: z.string(),
  tx_id: z.string(),
  block_number: z.number().int().nullable(),
  received_at: Timestamp,
})
export type LatePayment = z.infer<typeof LatePayment>

export const LatePaymentList = z.object({ late_payments: z.array(LatePayment), next_cursor: NextCursor })

/** `payments.late-payments`: deposits that staff have to handle. */
export const latePayments = resource('payments.late-payments', {
  list: operation({
    operationId: 'listLatePayments',
    http: get('/late-payments'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'List deposits that arrived after their order ended, oldest first',
    description: 'Use it to find money that counts for no order: refund it, or settle it with the merchant.',
    caller: 'operator',
    query: z.object({ limit: limitParameter(50, 100), cursor: cursorParameter }),
    reply: LatePaymentList,
    refusals: ['invalid_cursor'],
  }),
})
