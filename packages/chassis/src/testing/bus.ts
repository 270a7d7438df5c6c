import { EVENT_STREAM } from '@causeway/contracts'
import { connectBus, type Bus } from '../bus/connect.ts'
import { createLogger } from '../log.ts'
import { requiredUrl } from './database.ts'

/** Address of the test run's NATS server, in this worker's own account. */
export const testNatsUrl = (): string => requiredUrl('CAUSEWAY_TEST_NATS_URL')

/** A connection to the test run's NATS server. */
export const testBus = (): Promise<Bus> =>
  connectBus({ url: testNatsUrl(), name: 'test', log: createLogger({ service: 'test', level: 'silent' }) })

/** Deletes the event stream that an earlier test file of this worker may have left. */
export const forgetEvents = async (bus: Bus): Promise<void> => {
  const manager = await bus.jetstreamManager()
  for await (const stream of manager.streams.list())
    if (stream.config.name === EVENT_STREAM) await manager.streams.delete(EVENT_STREAM)
}
