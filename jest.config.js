const ROOTS = '(packages|services|sandbox|tests|scripts|bench)'

/** Of every project. */
const common = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  // What we publish has a source beside its compiled form: its own repository runs the source.
  testEnvironmentOptions: { customExportConditions: ['platform-source', 'node', 'node-addons'] },
  // Not among what a run stores, which its end removes.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  modulePathIgnorePatterns: ['/.data/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } },
    ],
  },
  setupFiles: ['<rootDir>/tests/infrastructure/worker-setup.ts'],
}
const withServers = {
  ...common,
  globalSetup: '<rootDir>/tests/infrastructure/global-setup.ts',
  globalTeardown: '<rootDir>/tests/infrastructure/global-teardown.ts',
}
/** The short forms of the benchmarks measure nothing that a busy machine leaves alone: `pnpm test:bench` runs them. */
const WITHOUT_BENCHMARKS = process.env.BENCH === undefined ? ['/bench/quick.test.ts'] : []
const IGNORED = ['/node_modules/', '/.data/', ...WITHOUT_BENCHMARKS]

export default {
  projects: [
    {
      ...common,
      displayName: 'rules',
      testMatch: [`<rootDir>/${ROOTS}/**/src/**/*.test.ts`],
      testPathIgnorePatterns: IGNORED,
    },
    {
      ...withServers,
      displayName: 'service',
      testMatch: ['<rootDir>/(packages|services|sandbox|scripts)/**/*.test.ts'],
      testPathIgnorePatterns: [...IGNORED, '/src/'],
    },
    {
      ...withServers,
      displayName: 'platform',
      testMatch: ['<rootDir>/(tests|bench)/**/*.test.ts'],
      testPathIgnorePatterns: IGNORED,
    },
  ],
  // Bounds that a busy machine does not meet: they end what hangs and measure nothing.
  testTimeout: 600_000,
  // Two cores are idle for a fifth of the time with two workers, a seventh with three, a tenth with four; with four, waits of the platforms expire on a machine that is slow.
  maxWorkers: 3,
  // A worker keeps something of each file's modules: a new one takes its place.
  workerIdleMemoryLimit: '1GB',
  testSequencer: '<rootDir>/tests/infrastructure/platforms-first.ts',
  reporters: ['default', '<rootDir>/tests/infrastructure/progress-reporter.ts'],
}
