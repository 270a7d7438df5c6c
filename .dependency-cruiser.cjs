/** The house's boundaries (docs/ARCHITECTURE.md, "Rules"). */
const service = '^services/([^/]+)/'
const CRYPTO_ROOMS =
  '^services/payments/src/(crypto-payments\\.ts|crypto-orders/|deposits/|late-payments/|onramp-holds/)'
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'only-chassis-speaks-nats',
      severity: 'error',
      from: { path: '^(packages|services)/', pathNot: '^packages/chassis/' },
      to: { path: 'node_modules/@nats-io/' },
    },
    {
      name: 'only-chassis-and-store-speak-pg',
      severity: 'error',
      from: {
        path: '^(packages|services)/',
        pathNot: ['^packages/chassis/', '/store/', '(/|-)store\\.ts$', '\\.test\\.ts$', '/tests/'],
      },
      to: { path: 'node_modules/(pg|pg-pool|node-pg-migrate)/' },
    },
    {
      name: 'no-service-imports-another',
      severity: 'error',
      from: { path: service },
      to: { path: service, pathNot: '^services/$1/' },
    },
    {
      name: 'payments-crypto-without-cards',
      comment: 'Crypto and card payments share relationships/ and payers/, and nothing else.',
      severity: 'error',
      from: { path: CRYPTO_ROOMS },
      to: {
        path: '^services/payments/src/',
        pathNot: [CRYPTO_ROOMS, '^services/payments/src/(relationships|payers|clients)/', '/config\\.ts$'],
      },
    },
    {
      name: 'payments-cards-without-crypto',
      severity: 'error',
      from: { path: '^services/payments/src/', pathNot: [CRYPTO_ROOMS, '/service\\.ts$'] },
      to: { path: CRYPTO_ROOMS },
    },
    {
      name: 'contracts-import-zod-alone',
      severity: 'error',
      from: { path: '^packages/contracts/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^packages/contracts/src/', 'node_modules/zod/'] },
    },
    {
      name: 'webhook-verifier-imports-nothing',
      severity: 'error',
      from: { path: '^packages/webhook-verifier/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^packages/webhook-verifier/src/' },
    },
    {
      name: 'gateway-imports-contracts-and-chassis',
      severity: 'error',
      from: { path: '^services/gateway/' },
      to: { path: '^packages/', pathNot: '^packages/(contracts|chassis)/' },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      from: { path: ['/domain/', '/domain\\.ts$'], pathNot: '\\.test\\.ts$' },
      to: {
        path: [
          '/(store|operations|reactions|jobs|clients)/',
          '(/|-)(store|operations|reactions|jobs?)\\.ts$',
          '^packages/chassis/src/(bus|db|outbox)/',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'product-does-not-import-tests',
      severity: 'error',
      from: { path: '^(packages|services)/[^/]+/src/', pathNot: ['/testing/', '\\.test\\.ts$'] },
      to: { path: ['^tests/', '/tests/', '\\.test\\.ts$', '^bench/', '^scripts/'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|\\.data)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
