import { z } from 'zod'
import { MERCHANT_EVENT_BODIES as BODIES } from './merchant-events.ts'

/** Description of an event for its receivers, in Markdown: when it fires, and the action that they take (`todo`). */
export type EventDescription = Readonly<{ summary: string; when: string; todo: string }>

type MerchantEventDeclaration = Readonly<{ body: z.ZodType }> & EventDescription

const orderChanged = z.union([BODIES.CryptoOrderChanged, BODIES.CardOrderChanged])

/** Every event of the merchant channel, in the order of the specification (spec: Merchant channel). */
export const MERCHANT_CHANNEL = {
  test: {
    body: BODIES.TestSent,
    summary: 'A sample',
    when: 'Sent when you call `testWebhook`. It concerns no order.',
    todo: 'Answer 200.',
  },
  pending: {
    body: orderChanged,
    summary: 'An order awaits payment',
    when: 'Sent when an order is created.',
    todo: 'No action is needed. You can show the order as open.',
  },
  paid: {
    body: orderChanged,
    summary: 'An order is paid',
    when: 'Crypto: the payment has the confirmations that its chain requires. Card: the processor captured the payment.',
    todo: 'Deliver the goods, once for each order. Ignore it if you already applied a higher `sequence` to the order.',
  },
  underpaid: {
    body: BODIES.CryptoOrderUnderpaid,
    summary: 'Less arrived than is due',
    when: 'Crypto only: sent for each deposit after which the order is still not fully paid.',
    todo: 'Ask the payer for the remaining amount: `expected` minus `received`.',
  },
  reverted: {
    body: BODIES.CryptoOrderReverted,
    summary: 'A payment was reverted',
    when: 'Crypto only: a reorganisation or a replacement removed a counted deposit. `txId` and `blockNumber` name it.',
    todo: 'Unless `status` is still `paid`, hold the goods until the next `paid`.',
  },
  cancelled: {
    body: orderChanged,
    summary: 'An order was cancelled',
    when: 'Sent when an order is cancelled before a payment, or when the processor reports that the payment failed permanently.',
    todo: 'Release the goods.',
  },
  expired: {
    body: orderChanged,
    summary: 'An order expired',
    when: 'Sent when nothing arrived in time. With `reason` `ramping_kyc_timeout` and `rampingOrderId`: a purchase from an onramp provider was not completed within 72 hours.',
    todo: 'Release the goods.',
  },
  refunded: {
    body: z.union([BODIES.CryptoOrderRefunded, BODIES.CardOrderChanged]),
    summary: 'An order was refunded',
    when: 'Sent when a refund succeeds, made through the API or at the processor. Crypto: staff sent back what a cancelled order had received.',
    todo: 'Book the refund. Card: the processor’s object has the amount (`refunded_amount`).',
  },
  payout_upcoming: {
    body: BODIES.PayoutChanged,
    summary: 'A payout is planned',
    when: 'Sent when a payout to you is made: announced by staff, due by your schedule, or requested by your partner.',
    todo: 'Expect the money on `scheduledFor`.',
  },
  payout_sent: {
    body: BODIES.PayoutChanged,
    summary: 'A payout was sent',
    when: 'Sent when staff record that the payout was sent.',
    todo: 'Match it with your account.',
  },
  payout_returned: {
    body: BODIES.PayoutReturned,
    summary: 'A payout came back',
    when: 'Sent when a payout that was sent came back, for the reason in `payout.returnReason`. The amount is available again.',
    todo: 'Check your bank details. The next payout pays the amount again.',
  },
  payout_wallet_added: {
    body: BODIES.PayoutWalletChanged,
    summary: 'A destination of your payouts was added',
    when: 'Sent when a partner adds a bank account or an address that your payouts can go to from `usableFrom`.',
    todo: 'If it is not yours, tell the partner and the platform before `usableFrom`.',
  },
  payout_wallet_deleted: {
    body: BODIES.PayoutWalletChanged,
    summary: 'A destination of your payouts was deleted',
    when: 'Sent when a partner deletes a destination of your payouts.',
    todo: 'No action is needed. Payouts that were made to it before still go to it.',
  },
  chargeback: {
    body: BODIES.CardOrderDisputed,
    summary: 'A card payment is disputed',
    when: 'Sent when the processor reports that the cardholder disputes the payment.',
    todo: 'Stop delivering, and collect evidence of the sale. `risk` has the payer’s IP address.',
  },
  risk_alert: {
    body: BODIES.RiskAlerted,
    summary: 'An IP address has repeated disputes',
    when: 'Sent once for each IP address and time window when the number of disputes reaches the threshold.',
    todo: 'Check the orders of that address before you deliver more.',
  },
  'ramping.status_changed': {
    body: BODIES.RampingStatusChanged,
    summary: 'The status of a purchase changed',
    when: 'Sent when the onramp provider reports a change, or when the purchase reaches its time limit (`reason`).',
    todo: 'Show the payer the progress. `paid`, `cancelled` or `expired` report the order itself.',
  },
  'ramping.kyc_pending': {
    body: BODIES.RampingKycPending,
    summary: 'A purchase is slow',
    when: 'Sent once, about 10 hours after the start of a purchase that is still open. The order is extended, until `hardCapAt` at the latest.',
    todo: 'Remind the payer to complete the provider’s verification.',
  },
} as const satisfies Readonly<Record<string, MerchantEventDeclaration>>
