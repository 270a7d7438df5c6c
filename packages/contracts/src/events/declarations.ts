import type { ServiceName } from '../services.ts'
import type { Fact } from './facts.ts'
import type { EventDescription, MERCHANT_CHANNEL } from './merchant-channel.ts'
import type { PARTNER_EVENT_DATA } from './partner-data.ts'

/** The parts of an event. Each part that is absent is empty in every event of the name. */
export type EventDeclaration = Readonly<{
  /** The service that alone emits it: the bus lets only that service publish its subject (decisions §19). */
  owner: ServiceName
  /** The service that emitted it in the release before: while that runs, events of both are taken. */
  formerly?: ServiceName
  /** The event for partners: the shape of its `data`, and its description. */
  partner?: Readonly<{
    body: keyof typeof PARTNER_EVENT_DATA
    /** Only destinations that name it receive it: an empty list of event types does not include it (decisions §48). */
    isOptIn?: true
  }> &
    EventDescription
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
  'payout.upcoming': {
    owner: 'ledger',
    formerly: 'payments',
    merchant: 'payout_upcoming',
    partner: {
      body: 'CustomerPayoutChanged',
      isOptIn: true,
      summary: 'A payout to a customer is planned',
      when: 'Sent when a payout to a customer that has granted `payouts` is announced.',
      todo: 'Show the customer what is paid and when: the fields of `summary` together are the amount.',
    },
  },
  'payout.sent': {
    owner: 'ledger',
    formerly: 'payments',
    merchant: 'payout_sent',
    partner: {
      body: 'CustomerPayoutChanged',
      isOptIn: true,
      summary: 'A payout to a customer was sent',
      when: 'Sent when staff record that the payout was sent. `reference` and `tx_id` name the transfer, where they are known.',
      todo: 'Tell the customer to expect the money.',
    },
  },
  'payout.settled': {
    owner: 'ledger',
    partner: {
      body: 'CustomerPayoutChanged',
      isOptIn: true,
      summary: 'A payout to a customer left the platform’s account',
      when: 'Sent when a bank statement or the network confirms a payout that was sent.',
      todo: 'No action is needed. A settled payout can still be returned.',
    },
  },
  'payout.returned': {
    owner: 'ledger',
    merchant: 'payout_returned',
    partner: {
      body: 'CustomerPayoutChanged',
      isOptIn: true,
      summary: 'A payout to a customer came back',
      when: 'Sent when a payout that was sent or settled came back, for the reason in `return_reason`. The amount is available again.',
      todo: 'Ask the customer to check its bank details. The next payout pays the amount again.',
    },
  },
  'payout_wallet.added': {
    owner: 'ledger',
    merchant: 'payout_wallet_added',
    partner: {
      body: 'CustomerPayoutWalletChanged',
      isOptIn: true,
      summary: 'A destination of a customer’s payouts was added',
      when: 'Sent when you add a bank account or an address for a customer’s payouts.',
      todo: 'Tell the customer. If the customer did not ask for it, delete it (`deletePayoutWallet`) and rotate your secrets.',
    },
  },
  'payout_wallet.active': {
    owner: 'ledger',
    partner: {
      body: 'CustomerPayoutWalletChanged',
      isOptIn: true,
      summary: 'A destination of a customer’s payouts can be used',
      when: 'Sent when the waiting time is over and staff have confirmed the destination, or its owner has proved it.',
      todo: 'Use it for withdrawals and schedules.',
    },
  },
  'payout_wallet.deleted': {
    owner: 'ledger',
    merchant: 'payout_wallet_deleted',
    partner: {
      body: 'CustomerPayoutWalletChanged',
      isOptIn: true,
      summary: 'A destination of a customer’s payouts was deleted',
      when: 'Sent when you delete a destination. Payouts that were made to it before still go to it.',
      todo: 'Use another one.',
    },
  },
  'balance.negative': {
    owner: 'ledger',
    partner: {
      body: 'BalanceNegative',
      isOptIn: true,
      summary: 'A customer’s available balance fell below zero',
      when: 'Sent each time the available balance of a customer that has granted `wallets` goes from zero or more to less than zero, as by a refund, a dispute or an advance.',
      todo: 'Expect no payout until new earnings cover it. Read its cause (`listBalanceEntries`).',
    },
  },
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
