/**
 * The layers of a service, by the names of files. A file that reads or writes (a database, another service) has one of
 * these names or is listed as a step; every other file is a rule or plumbing, and imports none of them but for types.
 */
const inputOutput = [
  '/operations\\.ts$',
  '(/|-)store\\.ts$',
  '/jobs/',
  '-job\\.ts$',
  '/reactions\\.ts$',
  '/clients/[^/]+\\.ts$',
  '/src/(main|service|reencrypt)\\.ts$',
]

/** Steps of operations and loops, which call stores, and what is built from them; without `.ts`, by service. */
const steps = {
  gateway: [
    'api-keys/authentication',
    'app',
    'audit/command',
    'audit/log',
    'audit/trail',
    'change-feed/change-feed',
    'dispatch/dispatch',
    'oauth/client-assertion',
    'oauth/client-authentication',
    'oauth/client-request',
    'oauth/token-cache',
    'oauth/token-revocation',
    'reference/openapi',
    'routes/table',
    'routes/tokens',
    'signing-keys/keyring',
    'signing-keys/rotate-command',
    'staff-keys/authentication',
  ],
  onboarding: [
    'agreements/list',
    'documents/list',
    'personal-data/erasure',
    'relationship-state/access',
    'relationship-state/changes',
    'relationships/link-confirmation',
    'requirements/events',
    'requirements/list',
    'requirements/raising',
    'reviews/case-page',
    'reviews/submissions',
    'verifications/submission',
  ],
  onramp: ['orders/abandon-purchase', 'orders/apply-provider-status', 'orders/create-provider-order'],
  payments: [
    'card-payments',
    'card-settlement/count-refund',
    'card-settlement/settlement',
    'card-settlement/write',
    'chargeback-cases/blocking',
    'chargebacks/import',
    'crypto-orders/creation',
    'crypto-orders/derivation-indexes',
    'crypto-orders/list',
    'crypto-orders/preparation',
    'crypto-orders/refund',
    'crypto-payments',
    'deposits/process-page',
    'disputes/record',
    'disputes/risk-alerts',
    'fiat-orders/checkout-check',
    'fiat-orders/creation',
    'integrations/creation',
    'payers/erasure',
    'payers/fingerprint-erasure',
    'payers/search',
    'relationships/relationships',
  ],
  refunds: [
    'reconciliation/compare-refunds',
    'reconciliation/differences',
    'reconciliation/external-refund',
    'reconciliation/late-success',
    'reconciliation/order-checks',
    'reconciliation/run-claim',
    'reconciliation/run',
    'refunds/conclude',
    'refunds/create',
    'refunds/mark-sent',
    'refunds/slot',
    'refunds/transitions',
  ],
  webhooks: [
    'deliveries/log',
    'engine/destination-registry',
    'engine/engine',
    'engine/fast-path/take-events',
    'engine/record/writer',
    'engine/slow-path/claim-due',
    'engine/slow-path/scan-due',
    'events/log',
    'integrations/owners',
    'redeliveries/log',
  ],
}

/** The files of all steps, from the root of the repository. */
const stepFiles = Object.entries(steps).flatMap(([service, names]) =>
  names.map((name) => `services/${service}/src/${name}.ts`),
)

module.exports = { inputOutput, stepFiles }
