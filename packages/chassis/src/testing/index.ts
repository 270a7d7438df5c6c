export { forgetEvents, makeStreams, testBus, testNatsUrl } from './bus.ts'
export { keptInClear } from './canary.ts'
export { findColumnFaults } from './columns.ts'
export { openTestDb, runSql, testDatabase } from './database.ts'
export { emittedEvent } from './emitted-event.ts'
export { eventually } from './eventually.ts'
export { testKeyRing, testVault } from './vault.ts'
export { testBusKeys, testBusKeysText, testEventSeals, testReceiverKeys } from './keys.ts'
export { KEEPS_IDLE_CONNECTIONS, TEST_DEADLINE_MS, TEST_TIMEOUT_FACTOR } from './timeouts.ts'
export {
  openTestService,
  stoppedClock,
  testPartner,
  testProcessConfig,
  testServiceConfig,
  type TestCaller,
  type TestPartner,
  type TestRequest,
} from './service.ts'
export { killNow, SOURCE_ENVIRONMENT, startServiceProcess } from './service-process.ts'
export { createWriteBlocker, type WriteBlocker } from './write-blocker.ts'
export { startTraceCollector, type CollectedSpan } from './traces.ts'
export { statementOf } from './statement-of.ts'
export { judgePlans } from './plans/held-plans.ts'
export type { PlanAllowances } from './plans/plan-faults.ts'
export type { TableShapes } from './plans/table-shape.ts'
