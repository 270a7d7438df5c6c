import type { MerchantEvent, PartnerEventType } from './event.ts'

/** What the catalogue says of an event, in Markdown. */
export type EventDescription = Readonly<{
  summary: string
  /** When it fires. */
  when: string
  /** What a receiver should do. */
  todo: string
}>

/** Every type of the partner channel (spec: Partner channel). */
export const PARTNER_EVENT_CATALOGUE: Readonly<Record<PartnerEventType, EventDescription>> = {
  'customer.updated': {
    summary: 'A customer has changed',
    when: 'The status of the relationship, or the name, country or e-mail of the customer is another than before.',
    todo: 'Read the customer again (`getCustomer`). After `revoked` it is not visible to you any more.',
  },
  'verification.pending': {
    summary: 'A verification waits for its review',
    when: 'A submission of the case was complete.',
    todo: 'Tell the customer that its data is under review. Nothing is to be sent until a requirement asks for it.',
  },
  'verification.approved': {
    summary: 'A verification was approved',
    when: 'Staff have approved the case.',
    todo: 'Let the customer take payments; `capability.updated` says which capabilities are available now.',
  },
  'verification.rejected': {
    summary: 'A verification was rejected',
    when: 'Staff have rejected the case. `rejection_reason` says why, or is null.',
    todo: 'Correct the data or the documents and submit again (`submitVerification`).',
  },
  'agreement.accepted': {
    summary: 'An agreement was accepted',
    when: 'You have recorded a customer’s acceptance of a version for the first time.',
    todo: 'Keep `acceptance_id` as your proof; ask the customer for what `listAgreements` still lists as `required`.',
  },
  'document.reviewed': {
    summary: 'A document was reviewed',
    when: 'Staff have accepted or rejected a document that you have uploaded; again, when they change their mind.',
    todo: 'After `rejected`, read the reason (`listDocuments`) and upload another one.',
  },
  'capability.updated': {
    summary: 'A capability has changed',
    when: '`enabled`, `available` or `reason` of a capability is another than before, for whatever cause.',
    todo: 'Offer the way to pay, or stop offering it. `reason` says what is missing.',
  },
  'requirement.created': {
    summary: 'A requirement was raised',
    when: 'You, another partner of the merchant or the platform’s staff ask for something; `raised_by` says who, from your side.',
    todo: 'Show `message` to the customer, send what is asked for, then set the requirement to `fulfilled` (`updateRequirement`).',
  },
  'requirement.resolved': {
    summary: 'A requirement is settled',
    when: 'The one who raised it has set it to `satisfied` or `cancelled`.',
    todo: 'Stop asking the customer for it.',
  },
  'payment.pending': {
    summary: 'An order awaits its payment',
    when: 'An order was created: yours, or the merchant’s own.',
    todo: 'Nothing for an order of yours. For another one, read it if you show all orders.',
  },
  'payment.confirmed': {
    summary: 'An order is paid in full',
    when: 'Crypto: what arrived has the confirmations that its chain needs, within the tolerance. Card: the processor took the payment. Also after `payment.expired`, when the money came late.',
    todo: 'Deliver the goods, once for each order.',
  },
  'payment.underpaid': {
    summary: 'Less arrived than is due',
    when: 'Crypto only: something has arrived, but not enough. It repeats with every further deposit that is not enough either.',
    todo: 'Ask the payer for the rest: what is due, less `received`. The order does not expire meanwhile.',
  },
  'payment.reverted': {
    summary: 'A payment was taken back',
    when: 'Crypto only: a reorganisation or replacement took a counted deposit away: `tx_id` and `block_number`.',
    todo: 'Unless `status` is still `paid`, hold the goods back until the next `payment.confirmed`.',
  },
  'payment.expired': {
    summary: 'An order has expired',
    when: 'Nothing arrived in time; or a purchase from an onramp provider was not finished within 72 hours, and `status` is `cancelled`.',
    todo: 'Release the goods. Offer a new order: its rate is a new one.',
  },
  'payment.cancelled': {
    summary: 'An order was cancelled',
    when: 'It was cancelled before a payment: by you, by the payer at the processor, or because a purchase has failed.',
    todo: 'Release the goods.',
  },
  'payment.refunded': {
    summary: 'An order was refunded, in full or in part',
    when: 'A refund of the order went through, by this API or at the processor itself. Crypto: staff have sent back what a cancelled order had received.',
    todo: 'Read the order for `refunded_cents` (`getFiatOrder`): the event has no amounts. `status` stays as it is while a part remains.',
  },
  'payment.chargeback': {
    summary: 'A card payment is disputed',
    when: 'The processor reports that the cardholder disputes the payment, by a notice or in its periodic file.',
    todo: 'Read the dispute (`listFiatOrderChargebacks`) and stop delivering. The payer is blocked until you lift the case (`liftChargebackCase`).',
  },
  'refund.completed': {
    summary: 'A refund went through',
    when: 'Once for each refund that was asked for by this API, when the processor has made it.',
    todo: 'Tell the payer. `payment.refunded` tells of the order.',
  },
}

/** Every event of the merchant channel (spec: Merchant channel). */
export const MERCHANT_EVENT_CATALOGUE: Readonly<Record<MerchantEvent, EventDescription>> = {
  test: {
    summary: 'A sample',
    when: 'You have called `testWebhook`. It is about no order.',
    todo: 'Answer 200.',
  },
  pending: {
    summary: 'An order awaits its payment',
    when: 'An order was created.',
    todo: 'Nothing, or show the order as open.',
  },
  paid: {
    summary: 'An order is paid',
    when: 'Crypto: what arrived has the confirmations that its chain needs. Card: the processor took the payment.',
    todo: 'Deliver the goods, once for each order. Ignore it if you have applied a higher `sequence` to the order.',
  },
  underpaid: {
    summary: 'Less arrived than is due',
    when: 'Crypto only; it repeats with every further deposit that is not enough either.',
    todo: 'Ask the payer for the rest: `expected`, less `received`.',
  },
  reverted: {
    summary: 'A payment was taken back',
    when: 'Crypto only: a reorganisation or replacement took a counted deposit away: `txId` and `blockNumber`.',
    todo: 'Unless `status` is still `paid`, hold the goods back until the next `paid`.',
  },
  cancelled: {
    summary: 'An order was cancelled',
    when: 'It was cancelled before a payment, or the processor says that the payment failed for good.',
    todo: 'Release the goods.',
  },
  expired: {
    summary: 'An order has expired',
    when: 'Nothing arrived in time. With `reason` `ramping_kyc_timeout` and `rampingOrderId`: a purchase from an onramp provider was not finished within 72 hours.',
    todo: 'Release the goods.',
  },
  refunded: {
    summary: 'An order was refunded',
    when: 'A refund went through, by the API or at the processor itself. Crypto: staff have sent back what a cancelled order had received.',
    todo: 'Book the refund. Card: the processor’s object says how much (`refunded_amount`).',
  },
  payout_upcoming: {
    summary: 'A payout is planned',
    when: 'Staff have announced a payout to you.',
    todo: 'Expect the money on `scheduledFor`.',
  },
  payout_sent: {
    summary: 'A payout was sent',
    when: 'Staff have said that the payout has left.',
    todo: 'Match it with your account.',
  },
  chargeback: {
    summary: 'A card payment is disputed',
    when: 'The processor reports that the cardholder disputes the payment.',
    todo: 'Stop delivering, and collect what proves the sale. `risk` names the payer’s address.',
  },
  risk_alert: {
    summary: 'An address of a payer is disputed again and again',
    when: 'The disputes of one IP address within the window reach a threshold; once an address and window.',
    todo: 'Look at the orders of that address before you deliver more.',
  },
  'ramping.status_changed': {
    summary: 'A purchase has another status',
    when: 'The onramp provider reports a change; or the purchase has reached its time limit (`reason`).',
    todo: 'Show the payer how far it is. The order itself is told by `paid`, `cancelled` or `expired`.',
  },
  'ramping.kyc_pending': {
    summary: 'A purchase takes long',
    when: 'Once, about 10 hours after a purchase was begun that is still open. The order is extended, to `hardCapAt` at most.',
    todo: 'Remind the payer of the provider’s verification.',
  },
}
