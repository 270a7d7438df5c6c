import { apiKeys } from './gateway/api-keys.ts'
import { audit } from './gateway/audit.ts'
import { clientKeys } from './gateway/client-keys.ts'
import { clients } from './gateway/clients.ts'
import { ownApiKeys } from './gateway/own-api-keys.ts'
import { parkedEvents } from './gateway/parked-events.ts'
import { partners } from './gateway/partners.ts'
import { people } from './gateway/people.ts'
import { pendingActions } from './gateway/pending-actions.ts'
import { portalLinks } from './gateway/portal-links.ts'
import { sessions } from './gateway/sessions.ts'
import { staffKeys } from './gateway/staff-keys.ts'
import { payoutApprovals } from './signer/payout-approvals.ts'
import { refundApprovals } from './signer/refund-approvals.ts'
import { accessAudit } from './access/audit.ts'
import { accessCredentials } from './access/credentials.ts'
import { accessGate } from './access/gate.ts'
import { accessOauth } from './access/oauth.ts'
import { accessPartners } from './access/partners.ts'
import { accessPeople } from './access/people.ts'
import { accessPortalSignIn } from './access/portal-sign-in.ts'
import { accessPayoutApprovals } from './access/payout-approvals.ts'
import { accessRefundApprovals } from './access/refund-approvals.ts'
import { accessSessions } from './access/sessions.ts'
import { accessSignIn } from './access/sign-in.ts'
import { agreements } from './onboarding/agreements.ts'
import { brands } from './onboarding/brands.ts'
import { capabilities } from './onboarding/capabilities.ts'
import { cardNotices } from './payments/card-notices.ts'
import { chargebackCases } from './payments/chargeback-cases.ts'
import { chargebacks } from './payments/chargebacks.ts'
import { customers } from './onboarding/customers.ts'
import { documents } from './onboarding/documents.ts'
import { fiatOrders } from './payments/fiat-orders.ts'
import { healthOf } from './health.ts'
import { integrations } from './payments/integrations.ts'
import { merchants } from './onboarding/merchants.ts'
import { nextSteps } from './onboarding/next-steps.ts'
import { onboardingLinks } from './onboarding/onboarding-links.ts'
import { onrampHolds } from './payments/onramp-holds.ts'
import { latePayments } from './payments/late-payments.ts'
import { unattributedMoney } from './payments/unattributed-money.ts'
import { orderDeposits } from './payments/order-deposits.ts'
import { orders } from './payments/orders.ts'
import { onrampNotices } from './onramp/notices.ts'
import { onrampOrders } from './onramp/orders.ts'
import type { Operation, Resource } from './operation.ts'
import { cryptoOrders } from './payments/crypto-orders.ts'
import { reconciliation } from './refunds/reconciliation.ts'
import { refundableOrders } from './payments/refundable-orders.ts'
import { refunds } from './refunds/refunds.ts'
import { payers } from './payments/payers.ts'
import { parkedEventsOf } from './parked-events.ts'
import { paidAddresses } from './payments/paid-addresses.ts'
import { pastPayouts } from './payments/past-payouts.ts'
import { pricePlans } from './payments/price-plans.ts'
import { pricePreviews } from './payments/price-previews.ts'
import { recipients } from './payments/recipients.ts'
import { chainHoldings } from './payments/chain-holdings.ts'
import { settlementReports } from './payments/settlement-reports.ts'
import { personalData } from './onboarding/personal-data.ts'
import { relationships } from './onboarding/relationships.ts'
import { requirements } from './onboarding/requirements.ts'
import { SENDERS, SERVICES, type EventServiceName, type SenderName, type ServiceName } from './services.ts'
import { reviews } from './onboarding/reviews.ts'
import { signerPayouts } from './signer/payouts.ts'
import { signerRefunds } from './signer/refunds.ts'
import { addressTransfers } from './signer/address-transfers.ts'
import { treasury } from './signer/treasury.ts'
import { verifications } from './onboarding/verifications.ts'
import { adjustments } from './ledger/adjustments.ts'
import { bankStatements } from './ledger/bank-statements.ts'
import { balanceEntries } from './ledger/balance-entries.ts'
import { dailyTotals } from './ledger/daily-totals.ts'
import { differences } from './ledger/differences.ts'
import { ledgerBooks } from './ledger/books.ts'
import { factRecordsOf } from './ledger/fact-records.ts'
import { importFiles } from './ledger/import-files.ts'
import { orderSettlements } from './ledger/order-settlements.ts'
import { paidOut } from './ledger/paid-out.ts'
import { paymentFiles } from './ledger/payment-files.ts'
import { payoutRuns } from './ledger/payout-runs.ts'
import { reservePlans } from './ledger/reserve-plans.ts'
import { payoutSchedule } from './ledger/payout-schedule.ts'
import { payouts } from './ledger/payouts.ts'
import { payoutTransfers } from './ledger/payout-transfers.ts'
import { payoutWallets } from './ledger/payout-wallets.ts'
import { reports } from './ledger/reports.ts'
import { settlements } from './ledger/settlements.ts'
import { statements } from './ledger/statements.ts'
import { wallets } from './ledger/wallets.ts'
import { withdrawals } from './ledger/withdrawals.ts'
import { deliveries } from './webhooks/deliveries.ts'
import { destinations } from './webhooks/destinations.ts'
import { endpoints } from './webhooks/endpoints.ts'
import { disabledPartners } from './webhooks/disabled-partners.ts'
import { events } from './webhooks/events.ts'
import { feed } from './webhooks/feed.ts'
import { integrationUrls } from './webhooks/integration-urls.ts'
import { redeliveries } from './webhooks/redeliveries.ts'
import { registrations } from './webhooks/registrations.ts'
import { subscriptions } from './webhooks/subscriptions.ts'

/** The stream of domain events and how its subjects begin: `events.<service>.<name>`. */
export const EVENT_STREAM = 'EVENTS'
export const EVENT_SUBJECTS = 'events.>'
export const EVENT_RETENTION_MS = 7 * 24 * 3_600_000

/** The JetStream object store that keeps documents where no S3 bucket is configured. */
export const BLOB_BUCKET = 'documents'
export const BLOB_STREAM = `OBJ_${BLOB_BUCKET}`
/** The subjects of the objects' chunks and of their metadata (NATS ADR-20). */
export const BLOB_SUBJECTS = [`$O.${BLOB_BUCKET}.C.>`, `$O.${BLOB_BUCKET}.M.>`] as const

/**
 * The stream of marks: what a service has handed out and must never hand out again, kept outside of its database. Each
 * subject keeps its last message. It is in no backup, so that a mark never goes back.
 */
export const MARK_STREAM = 'MARKS'
export const MARK_SUBJECTS = 'marks.>'
export const markSubject = (service: ServiceName, name: string) => `marks.${service}.${name}`

/** The accounts of the bus that hold a stream, each with its stream. */
export const STREAM_ACCOUNTS = { events: EVENT_STREAM, documents: BLOB_STREAM } as const
export type StreamAccount = keyof typeof STREAM_ACCOUNTS
export const BACKUP_USER = 'backup'
/** The user that backs up the stream of an account; all have the password of {@link BACKUP_USER}. */
export const backupUserOf = (account: StreamAccount): string => `${account}-${BACKUP_USER}`

const ALTERNATE = '-b'
/** A second user with the same permissions: one is in use while the password of the other is replaced. */
export const alternateUserOf = (user: string): string => `${user}${ALTERNATE}`
export const isAlternateUser = (user: string): boolean => user.endsWith(ALTERNATE)

/** Every resource that is served over the bus, by the service that serves it. */
export const RESOURCES: Readonly<Record<ServiceName, readonly Resource[]>> = {
  access: [
    partners,
    clients,
    clientKeys,
    ownApiKeys,
    apiKeys,
    portalLinks,
    people,
    sessions,
    staffKeys,
    pendingActions,
    parkedEvents,
    audit,
    accessCredentials,
    accessOauth,
    accessSessions,
    accessSignIn,
    accessPeople,
    accessPortalSignIn,
    accessPartners,
    accessGate,
    accessAudit,
    accessRefundApprovals,
    accessPayoutApprovals,
    parkedEventsOf('access'),
    healthOf('access'),
  ],
  onboarding: [
    customers,
    brands,
    capabilities,
    nextSteps,
    verifications,
    onboardingLinks,
    agreements,
    documents,
    requirements,
    relationships,
    personalData,
    reviews,
    merchants,
    parkedEventsOf('onboarding'),
    healthOf('onboarding'),
  ],
  payments: [
    cryptoOrders,
    integrations,
    fiatOrders,
    cardNotices,
    chargebacks,
    chargebackCases,
    payers,
    pastPayouts,
    pricePlans,
    pricePreviews,
    latePayments,
    unattributedMoney,
    orderDeposits,
    orders,
    refundableOrders,
    onrampHolds,
    paidAddresses,
    recipients,
    settlementReports,
    chainHoldings,
    factRecordsOf('payments'),
    parkedEventsOf('payments'),
    healthOf('payments'),
  ],
  refunds: [refunds, reconciliation, parkedEventsOf('refunds'), healthOf('refunds')],
  webhooks: [
    subscriptions,
    endpoints,
    destinations,
    disabledPartners,
    integrationUrls,
    registrations,
    deliveries,
    events,
    feed,
    redeliveries,
    parkedEventsOf('webhooks'),
    healthOf('webhooks'),
  ],
  onramp: [onrampOrders, onrampNotices, healthOf('onramp')],
  ledger: [
    wallets,
    balanceEntries,
    dailyTotals,
    reports,
    statements,
    ledgerBooks,
    adjustments,
    reservePlans,
    payouts,
    paymentFiles,
    bankStatements,
    importFiles,
    payoutRuns,
    payoutSchedule,
    paidOut,
    settlements,
    orderSettlements,
    differences,
    payoutWallets,
    payoutTransfers,
    withdrawals,
    parkedEventsOf('ledger'),
    healthOf('ledger'),
  ],
  signer: [
    refundApprovals,
    payoutApprovals,
    signerRefunds,
    signerPayouts,
    treasury,
    addressTransfers,
    factRecordsOf('signer'),
    healthOf('signer'),
  ],
}

/** Every operation that has a path, in the order of the API document. */
export const HTTP_OPERATIONS: readonly Operation[] = [
  ...RESOURCES.onboarding,
  ...RESOURCES.payments,
  ...RESOURCES.refunds,
  ...RESOURCES.onramp,
  ...RESOURCES.ledger,
  ...RESOURCES.signer,
  ...RESOURCES.access,
  ...RESOURCES.webhooks,
]
  .flatMap((resource) => Object.values(resource))
  .filter(({ http }) => http !== null)

/** Durable consumers of the event stream: by service, name and the subjects it reads. */
export const CONSUMERS: Readonly<Record<ServiceName, Readonly<Record<string, readonly string[]>>>> = {
  access: {
    'access-notices': [
      'events.onboarding.requirement.created',
      'events.onboarding.verification.rejected',
      'events.ledger.payout.sent',
      'events.ledger.payout.returned',
      'events.payments.payment.chargeback',
    ],
  },
  onboarding: { 'onboarding-disputes': ['events.payments.dispute_standing.changed'] },
  payments: { 'payments-projection': ['events.onboarding.relationship.changed'] },
  refunds: { 'refunds-counted': ['events.payments.payment.refunded'] },
  webhooks: {
    'webhooks-fanout': [EVENT_SUBJECTS],
    'webhooks-projection': ['events.payments.integration.changed'],
  },
  onramp: {},
  ledger: {
    'ledger-facts': [
      'events.payments.payment.confirmed',
      'events.payments.payment.refunded',
      'events.payments.payment.chargeback',
      'events.payments.deposit.moved',
    ],
    'ledger-projection': ['events.onboarding.relationship.changed'],
  },
  signer: {},
}

/** True if the service consumes events, and may have parked some. */
export const consumesEvents = (service: ServiceName): service is EventServiceName =>
  Object.keys(CONSUMERS[service]).length > 0
export const CONSUMING_SERVICES = SERVICES.filter(consumesEvents)

/** True for operations that access calls for staff: a second person may confirm them, or they have no path. */
const isCalledForStaff = ({ caller, fourEyes, http }: Operation): boolean =>
  caller === 'operator' && (fourEyes.length > 0 || http === null)

/** True if the sender may call the operation: the contract names it, it is the gateway, or access calls it for staff. */
export const mayCall = (sender: SenderName, operation: Operation): boolean => {
  if (operation.caller === 'service') return operation.services.includes(sender)
  return sender === 'gateway' || (sender === 'access' && isCalledForStaff(operation))
}

/** The operations of another service that a sender may call. */
export const callsOf = (sender: SenderName, receiver: ServiceName): Operation[] =>
  sender === receiver
    ? []
    : RESOURCES[receiver]
        .flatMap((resource) => Object.values(resource))
        .filter((operation) => mayCall(sender, operation))

/** Receivers for which services seal parts of their events (ADR 0044). */
const SEALS_EVENTS_FOR: Readonly<Partial<Record<SenderName, ServiceName>>> = { payments: 'webhooks' }

/** Every pair of a sender and a receiver that the contracts allow; each pair has a separate key. */
export const SENDER_PAIRS: readonly Readonly<{ sender: SenderName; receiver: ServiceName }>[] =
  SENDERS.flatMap((sender) =>
    SERVICES.filter(
      (receiver) => callsOf(sender, receiver).length > 0 || SEALS_EVENTS_FOR[sender] === receiver,
    ).map((receiver) => ({ sender, receiver })),
  )

/** Core-NATS subjects without persistence, for hints: a slower poll finds the same. */
export const nudgeSubject = (service: ServiceName) => `nudge.${service}.outbox`
export const CLIENTS_CHANGED_SUBJECT = 'nudge.gateway.clients'
export const DESTINATIONS_CHANGED_SUBJECT = 'nudge.webhooks.destinations'
/** Sent after partners' events are recorded: another replica may have requests that wait for them. */
export const FEED_GREW_SUBJECT = 'nudge.webhooks.feed'
/** Sent by a gateway that stops: requests that wait for an event are answered without one. */
export const FEED_WAITS_END_SUBJECT = 'nudge.webhooks.feed-waits'

/** The nudges that the replicas of a service send each other. */
export const NUDGES: Readonly<Record<ServiceName, readonly string[]>> = {
  access: [nudgeSubject('access'), CLIENTS_CHANGED_SUBJECT],
  onboarding: [nudgeSubject('onboarding')],
  payments: [nudgeSubject('payments')],
  refunds: [nudgeSubject('refunds')],
  webhooks: [
    nudgeSubject('webhooks'),
    DESTINATIONS_CHANGED_SUBJECT,
    FEED_GREW_SUBJECT,
    FEED_WAITS_END_SUBJECT,
  ],
  onramp: [nudgeSubject('onramp')],
  ledger: [nudgeSubject('ledger')],
  signer: [nudgeSubject('signer')],
}

/** Prefix of the private reply subjects of a NATS user. */
export const inboxPrefix = (user: string) => `_INBOX_${user}`
/** Returns the sender whose private reply subject this is, or null. */
export const senderOfInbox = (subject: string): SenderName | null =>
  SENDERS.find((sender) => subject.startsWith(`${inboxPrefix(sender)}.`)) ?? null

/**
 * Subject on which a service sends a reply again that NATS refused. It names both, so that the permissions say who
 * may send on it and who receives it; `*` means any.
 */
export const refusedReplySubject = (caller: SenderName | '*', service: string) =>
  `replies.${caller}.${service}`
