const ROOTS = '(packages|services|sandbox|tests|scripts|bench)'

// Pages show times in the zone of the browser, which inherits this one.
process.env.TZ = 'UTC'

/** Settings of every project. */
const common = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  // Outside the run's own storage, which is removed at the end.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  modulePathIgnorePatterns: ['/.data/'],
  runtime: '<rootDir>/tests/infrastructure/native-runtime.ts',
  // Node loads the sources, and takes their types away.
  transform: {},
  setupFiles: ['<rootDir>/tests/infrastructure/worker-setup.ts'],
}
const withServers = {
  ...common,
  globalSetup: '<rootDir>/tests/infrastructure/global-setup.ts',
  globalTeardown: '<rootDir>/tests/infrastructure/global-teardown.ts',
}
/** A busy machine distorts the short forms of the benchmarks: only `pnpm test:bench` runs them. */
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
  // A bound that a busy machine does not reach: it ends a test that hangs, and measures nothing.
  testTimeout: 600_000,
  // Two cores are idle a fifth of the time with two workers, a seventh with three, a tenth with four; with four, waits of the platforms expire on a slow machine.
  maxWorkers: 3,
  // A worker keeps memory of each file's modules: at this size a new one replaces it.
  workerIdleMemoryLimit: '1GB',
  testSequencer: '<rootDir>/tests/infrastructure/platforms-first.ts',
  reporters: ['default', '<rootDir>/tests/infrastructure/progress-reporter.ts'],
}
