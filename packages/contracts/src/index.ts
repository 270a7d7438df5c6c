export * from './access/audit.ts'
export * from './access/credentials.ts'
export * from './access/gate.ts'
export * from './days.ts'
export * from './access/oauth.ts'
export * from './access/partners.ts'
export * from './access/payout-approvals.ts'
export * from './access/refund-approvals.ts'
export * from './access/notices.ts'
export * from './access/people.ts'
export * from './access/portal-roles.ts'
export * from './access/portal-sign-in.ts'
export * from './access/sessions.ts'
export * from './access/sign-in.ts'
export * from './onboarding/agreements.ts'
export * from './gateway/api-keys.ts'
export * from './caller.ts'
export * from './onboarding/brands.ts'
export * from './onboarding/capabilities.ts'
export * from './payments/card-notices.ts'
export * from './payments/chargeback-cases.ts'
export * from './payments/chargebacks.ts'
export * from './gateway/api-keys.ts'
export * from './gateway/audit.ts'
export { ClientJwk, clientKeys, type ClientJwks } from './gateway/client-keys.ts'
export * from './gateway/clients.ts'
export * from './gateway/own-api-keys.ts'
export { COUNTRIES } from './countries.ts'
export * from './currencies.ts'
export * from './onboarding/customers.ts'
export * from './onboarding/documents.ts'
export * from './errors.ts'
export * from './events/declarations.ts'
export * from './events/merchant-channel.ts'
export * from './events/event.ts'
export * from './events/event-names.ts'
export * from './events/facts.ts'
export * from './events/event-of.ts'
export * from './events/event-owners.ts'
export * from './events/ledger-facts.ts'
export * from './payments/fiat-orders.ts'
export * from './gateway/four-eyes.ts'
export * from './health.ts'
export { PREFIXES } from './http/methods.ts'
export { EmailAddress } from './internet-names.ts'
export * from './payments/integrations.ts'
export * from './payments/onramp-holds.ts'
export * from './onboarding/kyb.ts'
export * from './payments/deposit-moves.ts'
export * from './payments/late-payments.ts'
export * from './payments/unattributed-money.ts'
export {
  CardType,
  Country,
  FeeHandling,
  Industry,
  PaymentMethod,
  ProcessingVolume,
  SettlementOption,
  submissionRuleOf,
  UboDeclaration,
  type SubmissionRule,
} from './onboarding/kyb-fields.ts'
export * from './ledger/adjustments.ts'
export * from './ledger/reserve-plans.ts'
export * from './ledger/balance-entries.ts'
export * from './ledger/bank-statements.ts'
export * from './ledger/books.ts'
export * from './ledger/order-settlements.ts'
export * from './ledger/paid-out.ts'
export * from './ledger/payout-runs.ts'
export * from './ledger/payout-schedule.ts'
export * from './ledger/payout-terms.ts'
export * from './ledger/payout-transfers.ts'
export * from './ledger/payouts.ts'
export * from './ledger/payout-wallets.ts'
export * from './ledger/payment-files.ts'
export * from './ledger/reports.ts'
export * from './ledger/settlements.ts'
export * from './ledger/statements.ts'
export * from './ledger/units.ts'
export * from './ledger/wallets.ts'
export * from './ledger/withdrawals.ts'
export * from './ledger/daily-totals.ts'
export * from './ledger/differences.ts'
export * from './ledger/import-files.ts'
export * from './ledger/fact-records.ts'
export {
  isForeignFact,
  ownerOfFact,
  readLedgerFact,
  type LedgerFact,
  type LedgerFactOf,
} from './ledger/facts.ts'
export * from './events/merchant-events.ts'
export * from './onboarding/merchants.ts'
export {
  MAX_STEPS_OF_A_KIND,
  NextStep,
  NextStepName,
  nextSteps,
  NextStepResource,
} from './onboarding/next-steps.ts'
export * from './onramp/notices.ts'
export * from './onramp/orders.ts'
export * from './gateway/own-api-keys.ts'
export * from './operation.ts'
export * from './payments/crypto-orders.ts'
export * from './payments/networks.ts'
export * from './payments/crypto-refunds.ts'
export * from './payments/paid-addresses.ts'
export * from './signer/payout-approvals.ts'
export * from './signer/payouts.ts'
export * from './signer/refund-approvals.ts'
export * from './signer/refunds.ts'
export * from './signer/treasury.ts'
export * from './signer/address-transfers.ts'
export * from './events/partner-data.ts'
export * from './events/partner-events.ts'
export * from './gateway/partners.ts'
export { parkedEvents } from './gateway/parked-events.ts'
export { ParkedEvent, ParkedEventDetail, parkedEventsOf, SHOWN_PAYLOAD_CHARACTERS } from './parked-events.ts'
export * from './gateway/pending-actions.ts'
export {
  people,
  PEOPLE_PER_OWNER,
  PortalInvitation,
  PortalMember,
  PortalMemberList,
} from './gateway/people.ts'
export { PortalLink, portalLinks } from './gateway/portal-links.ts'
export * from './payments/order-deposits.ts'
export * from './payments/orders.ts'
export * from './payments/payers.ts'
export * from './payments/past-payouts.ts'
export * from './payments/price-plans.ts'
export * from './payments/price-previews.ts'
export * from './payments/recipients.ts'
export * from './payments/settlement-reports.ts'
export * from './payments/chain-holdings.ts'
export * from './names.ts'
export * from './primitives.ts'
export * from './payments/refundable-orders.ts'
export * from './refunds/reconciliation.ts'
export * from './refunds/refunds.ts'
export {
  DEFAULT_EXPIRES_IN_HOURS,
  MAX_ONBOARDING_LINKS,
  OnboardingLink,
  onboardingLinks,
} from './onboarding/onboarding-links.ts'
export * from './onboarding/personal-data.ts'
export * from './onboarding/relationships.ts'
export * from './onboarding/requirements.ts'
export * from './onboarding/reviews.ts'
export * from './sandbox-clock.ts'
export * from './gateway/sessions.ts'
export * from './gateway/staff-keys.ts'
export * from './gateway/staff-roles.ts'
export * from './services.ts'
export {
  IncompleteField,
  lastModified,
  SubmissionBlock,
  Verification,
  VerificationRejectionReason,
  type DisclosedRejectionReason,
  verifications,
  VerificationStatus,
} from './onboarding/verifications.ts'
export { EXPECTED_URL, faultOfUrl, HttpsUrl, MAX_URL_LENGTH } from './web-address.ts'
export * from './webhooks/deliveries.ts'
export * from './webhooks/destinations.ts'
export * from './webhooks/disabled-partners.ts'
export * from './webhooks/endpoints.ts'
export * from './webhooks/events.ts'
export * from './webhooks/feed.ts'
export * from './webhooks/integration-urls.ts'
export * from './webhooks/redeliveries.ts'
export * from './webhooks/registrations.ts'
export * from './webhooks/subscriptions.ts'
export * from './topology.ts'
export { DeliveryStatus, EventStatus, LoggedWebhookId } from './webhooks/webhook-log.ts'
