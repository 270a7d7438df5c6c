export { forgetEvents, testBus, testNatsUrl } from './bus.ts'
export { testDatabase } from './database.ts'
export { emittedEvent } from './emitted-event.ts'
export { eventually } from './eventually.ts'
