import { z } from 'zod'
import type { ServiceName } from '../services.ts'
import type { Fact } from './facts.ts'
import { MERCHANT_EVENT_BODIES as BODIES } from './merchant-events.ts'
import type { PARTNER_EVENT_DATA } from './partner-data.ts'

/** Description of an event for its receivers, in Markdown. */
export type EventDescription = Readonly<{
  summary: string
  /** When it fires. */
  when: string
  /** Action that a receiver takes. */
  todo: string
}>

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
    when: 'Sent when staff announce a payout to you.',
    todo: 'Expect the money on `scheduledFor`.',
  },
  payout_sent: {
    body: BODIES.PayoutChanged,
    summary: 'A payout was sent',
    when: 'Sent when staff record that the payout was sent.',
    todo: 'Match it with your account.',
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

/** The parts of an event. Each part that is absent is empty in every event of the name. */
export type EventDeclaration = Readonly<{
  /** The service that alone emits it: the bus lets only that service publish its subject (decisions §19). */
  owner: ServiceName
  /** The service that emitted it in the release before: while that runs, events of both are taken. */
  formerly?: ServiceName
  /** The event for partners: the shape of its `data`, and its description. */
  partner?: Readonly<{ body: keyof typeof PARTNER_EVENT_DATA }> & EventDescription
  /** The event for the merchant. */
  merchant?: keyof typeof MERCHANT_CHANNEL
  /** The kind of the fact that other services project. */
  fact?: Fact['kind']
}>

/** Every domain event, in the order of the specification (spec: Partner channel). All other lists of events derive from this one. */
export const EVENTS = {
  'relationship.changed': { owner: 'onboarding', fact: 'relationship' },
  'customer.updated': {
    owner: 'onboarding',
    partner: {
      body: 'CustomerUpdated',
      summary: 'A customer has changed',
      when: 'Sent when the relationship’s status, or the customer’s name, country or e-mail address changes.',
      todo: 'Read the customer again (`getCustomer`). After `revoked` you can no longer read it.',
    },
  },
  'verification.pending': {
    owner: 'onboarding',
    partner: {
      body: 'VerificationMoved',
      summary: 'A verification awaits review',
      when: 'Sent when a complete case is submitted.',
      todo: 'Tell the customer that its data is under review. No action is needed until a requirement is raised.',
    },
  },
  'verification.approved': {
    owner: 'onboarding',
    partner: {
      body: 'VerificationMoved',
      summary: 'A verification was approved',
      when: 'Sent when staff approve the case.',
      todo: 'Let the customer take payments. `capability.updated` names the capabilities that are available now.',
    },
  },
  'verification.rejected': {
    owner: 'onboarding',
    partner: {
      body: 'VerificationRejected',
      summary: 'A verification was rejected',
      when: 'Sent when staff reject the case. `rejection_reason` gives the reason, or is null.',
      todo: 'Correct the data or the documents and submit again (`submitVerification`).',
    },
  },
  'agreement.accepted': {
    owner: 'onboarding',
    partner: {
      body: 'AgreementAccepted',
      summary: 'An agreement was accepted',
      when: 'Sent when you record a customer’s acceptance of a version for the first time.',
      todo: 'Keep `acceptance_id` as your proof. Ask the customer to accept what `listAgreements` still lists as `required`.',
    },
  },
  'document.reviewed': {
    owner: 'onboarding',
    partner: {
      body: 'DocumentReviewed',
      summary: 'A document was reviewed',
      when: 'Sent when staff accept or reject a document that you uploaded, and each time they change that decision.',
      todo: 'After `rejected`, read the reason (`listDocuments`) and upload a new document.',
    },
  },
  'capability.updated': {
    owner: 'onboarding',
    partner: {
      body: 'CapabilityUpdated',
      summary: 'A capability has changed',
      when: 'Sent when a capability’s `enabled`, `available` or `reason` changes.',
      todo: 'Offer the payment method, or stop offering it. `reason` names what is missing.',
    },
  },
  'requirement.created': {
    owner: 'onboarding',
    partner: {
      body: 'RequirementChanged',
      summary: 'A requirement was raised',
      when: 'Sent when you, another partner of the merchant or the platform’s staff raise a requirement. `raised_by` names the party from your point of view.',
      todo: 'Show `message` to the customer, send what it requests, then set the requirement to `fulfilled` (`updateRequirement`).',
    },
  },
  'requirement.resolved': {
    owner: 'onboarding',
    partner: {
      body: 'RequirementChanged',
      summary: 'A requirement was resolved',
      when: 'Sent when the party that raised it sets it to `satisfied` or `cancelled`.',
      todo: 'Stop showing it to the customer.',
    },
  },
  'integration.changed': { owner: 'payments', fact: 'integration' },
  'dispute_standing.changed': { owner: 'payments', fact: 'dispute_standing' },
  'payment.pending': {
    owner: 'payments',
    merchant: 'pending',
    partner: {
      body: 'PaymentChanged',
      summary: 'An order awaits payment',
      when: 'Sent when an order is created, by you or by the merchant itself.',
      todo: 'No action is needed for your own orders. Read the other orders if you show all of them.',
    },
  },
  'payment.confirmed': {
    owner: 'payments',
    merchant: 'paid',
    partner: {
      body: 'PaymentChanged',
      summary: 'An order is paid in full',
      when: 'Crypto: the full amount, within the tolerance, has the confirmations that its chain requires. Card: the processor captured the payment. Also sent after `payment.expired` when the money arrives late.',
      todo: 'Deliver the goods, once for each order.',
    },
  },
  'payment.underpaid': {
    owner: 'payments',
    merchant: 'underpaid',
    partner: {
      body: 'PaymentChanged',
      summary: 'Less arrived than is due',
      when: 'Crypto only: sent for each deposit after which the order is still not fully paid.',
      todo: 'Ask the payer for the remaining amount: the amount due minus `received`.',
    },
  },
  'payment.reverted': {
    owner: 'payments',
    merchant: 'reverted',
    partner: {
      body: 'PaymentChanged',
      summary: 'A payment was reverted',
      when: 'Crypto only: a reorganisation or a replacement removed a counted deposit. `tx_id` and `block_number` name it.',
      todo: 'Unless `status` is still `paid`, hold the goods until the next `payment.confirmed`.',
    },
  },
  'payment.expired': {
    owner: 'payments',
    merchant: 'expired',
    partner: {
      body: 'PaymentChanged',
      summary: 'An order expired',
      when: 'Sent when nothing arrived in time, or when a purchase from an onramp provider was not completed within 72 hours (`status` is then `cancelled`).',
      todo: 'Release the goods. Offer a new order, which has a new rate.',
    },
  },
  'payment.cancelled': {
    owner: 'payments',
    merchant: 'cancelled',
    partner: {
      body: 'PaymentChanged',
      summary: 'An order was cancelled',
      when: 'Sent when an order is cancelled before a payment: by you, by the payer at the processor, or because a purchase failed.',
      todo: 'Release the goods.',
    },
  },
  'payment.refunded': {
    owner: 'payments',
    merchant: 'refunded',
    fact: 'refund',
    partner: {
      body: 'PaymentChanged',
      summary: 'An order was refunded, in full or in part',
      when: 'Sent when a refund of the order succeeds, made through this API or at the processor. Crypto: staff sent back what a cancelled order had received.',
      todo: 'Read `refunded_cents` from the order (`getFiatOrder`): the event has no amounts. `status` does not change while a part remains.',
    },
  },
  'payment.chargeback': {
    owner: 'payments',
    merchant: 'chargeback',
    partner: {
      body: 'PaymentChanged',
      summary: 'A card payment is disputed',
      when: 'Sent when the processor reports, by a notice or in its periodic file, that the cardholder disputes the payment.',
      todo: 'Read the dispute (`listFiatOrderChargebacks`) and stop delivering. The payer is blocked until you lift the case (`liftChargebackCase`).',
    },
  },
  'payment.late': { owner: 'payments', fact: 'late_payment' },
  'deposit.moved': { owner: 'payments', fact: 'deposit_move' },
  'payout.upcoming': { owner: 'ledger', formerly: 'payments', merchant: 'payout_upcoming' },
  'payout.sent': { owner: 'ledger', formerly: 'payments', merchant: 'payout_sent' },
  'risk.alert': { owner: 'payments', merchant: 'risk_alert' },
  'refund.completed': {
    owner: 'refunds',
    partner: {
      body: 'RefundCompleted',
      summary: 'A refund succeeded',
      when: 'Sent once for each refund that was requested through this API, when the processor has made it.',
      todo: 'Tell the payer. `payment.refunded` reports the order.',
    },
  },
  'ramping.status_changed': { owner: 'onramp', merchant: 'ramping.status_changed' },
  'ramping.kyc_pending': { owner: 'onramp', merchant: 'ramping.kyc_pending' },
} as const satisfies Readonly<Record<string, EventDeclaration>>
