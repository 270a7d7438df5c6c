/** The house's boundaries (docs/ARCHITECTURE.md, "Rules"). */
const service = '^services/([^/]+)/'
const CRYPTO_ROOMS =
  '^services/payments/src/(crypto-payments\\.ts|chains\\.ts|blocks/|chain-holdings/|crypto-orders/|crypto-refunds/|deposits/|late-payments/|onramp-holds/|order-deposits/|paid-addresses/|recipients/)'
/** The tests of the gateway and of access run both, and send HTTP requests to the gateway. */
const EDGE_TESTS = '^services/(access|gateway)/tests/'

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
      name: 'only-chassis-and-stores-speak-pg',
      severity: 'error',
      from: {
        path: '^(packages|services)/',
        pathNot: ['^packages/(chassis|dev-env)/', '(/|-)store\\.ts$', '\\.test\\.ts$', '/tests/'],
      },
      to: { path: 'node_modules/(pg|pg-pool|node-pg-migrate)/' },
    },
    {
      name: 'no-service-imports-another',
      severity: 'error',
      from: { path: service, pathNot: EDGE_TESTS },
      to: { path: service, pathNot: '^services/$1/' },
    },
    {
      name: 'tests-of-the-edge-import-gateway-and-access-alone',
      severity: 'error',
      from: { path: EDGE_TESTS },
      to: { path: service, pathNot: '^services/(access|gateway)/' },
    },
    {
      name: 'nothing-imports-the-gateway',
      comment: 'Ask it by HTTP. The table of its screens is read by the tests of all screens.',
      severity: 'error',
      from: { pathNot: ['^services/gateway/', '^tests/screens/table[.]ts$'] },
      to: { path: '^services/gateway/src/' },
    },
    {
      name: 'payments-crypto-without-cards',
      comment:
        'Crypto and card payments share relationships/, payers/, order-lists/, order-numbers/, past-facts/, price-plans/ and unattributed-money/, and nothing else.',
      severity: 'error',
      from: { path: CRYPTO_ROOMS },
      to: {
        path: '^services/payments/src/',
        pathNot: [
          CRYPTO_ROOMS,
          '^services/payments/src/(relationships|payers|clients|order-lists|order-numbers|past-facts|price-plans|unattributed-money)/',
          'config\\.ts$',
        ],
      },
    },
    {
      name: 'payments-cards-without-crypto',
      severity: 'error',
      from: { path: '^services/payments/src/', pathNot: [CRYPTO_ROOMS, '/service\\.ts$'] },
      to: { path: CRYPTO_ROOMS },
    },
    {
      name: 'only-the-signer-signs',
      comment: 'Nothing else loads what derives private keys or signs transactions (ADR 0070).',
      severity: 'error',
      from: {
        path: '^(packages|services|sandbox|scripts)/',
        pathNot: ['^services/signer/', '^packages/rails/', '[.]test[.]ts$', '/tests/'],
      },
      to: { path: '^packages/rails/src/(transfers[.]ts|chain/transfers/)' },
    },
    {
      name: 'contracts-import-zod-alone',
      severity: 'error',
      from: { path: '^packages/contracts/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^packages/contracts/src/', 'node_modules/zod/'] },
    },
    {
      name: 'reference-knows-contracts-alone',
      severity: 'error',
      from: { path: '^packages/reference/src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(packages|services|scripts)/', pathNot: '^packages/(reference|contracts)/src/' },
    },
    {
      name: 'published-packages-import-nothing',
      severity: 'error',
      from: { path: '^packages/(webhook-verifier|client)/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^packages/$1/src/' },
    },
    {
      name: 'command-line-is-a-client',
      comment: 'It is bundled: what it imports is downloaded with it, and it knows what any client knows.',
      severity: 'error',
      from: { path: '^packages/cli/src/', pathNot: '[.]test[.]ts$' },
      to: {
        pathNot: [
          '^packages/(cli|client|scenario|statement-proof|webhook-verifier)/',
          'node_modules/(commander|read)/',
          '^node:',
        ],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'gateway-imports-contracts-and-chassis',
      severity: 'error',
      from: { path: '^services/(access|gateway)/' },
      to: { path: '^packages/', pathNot: '^packages/(contracts|chassis|screens|reference|dev-env)/' },
    },
    {
      name: 'edge-has-no-database',
      comment: 'Declare an operation access.* in the contracts and ask it (ADR 0080).',
      severity: 'error',
      from: { path: '^services/gateway/src/' },
      to: {
        path: [
          '(/|-)store\\.ts$',
          '/migrations/',
          '^packages/chassis/src/(db/|database[.]ts$)',
          'node_modules/(pg|pg-pool|node-pg-migrate)/',
        ],
      },
    },
    {
      name: 'screens-know-operations-alone',
      comment:
        'A screen is a client of the operations: it reads no database, speaks no NATS and knows no service (ADR 0066).',
      severity: 'error',
      from: { path: '^packages/screens/src/', pathNot: '[.]test[.]ts$' },
      to: {
        // The script that draws PDFs imports the library by the address at which browsers find it.
        pathNot: [
          '^packages/(screens|contracts)/src/',
          'node_modules/(hono|zod|pdfmake|csv-stringify|intl-messageformat|linkedom|@observablehq/plot)/',
          '^[.]/pdf[.]js$',
        ],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'product-does-not-import-tests',
      severity: 'error',
      from: {
        path: '^(packages|services)/[^/]+/src/',
        pathNot: ['/testing/', '\\.test\\.ts$', '^packages/dev-env/'],
      },
      to: { path: ['^tests/', '/tests/', '\\.test\\.ts$', '^bench/', '^scripts/', '^packages/dev-env/'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|\\.data)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['platform-source', 'import', 'node', 'default'],
    },
  },
}
