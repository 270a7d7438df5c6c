import type { EventName, EventOf } from '@causeway/contracts'
import { createDb, migrate } from '../src/database.ts'
import { createClock, createLogger, newId, type Clock, type Db } from '../src/index.ts'
import { testDatabase, TEST_TIMEOUT_FACTOR } from '../src/testing/index.ts'
import { fileURLToPath } from 'node:url'

export const silent = createLogger({ service: 'test', level: 'silent' })

/** A migrated database with the chassis' tables alone. */
export const openDatabase = async (): Promise<{
  db: Db
  url: string
  clock: Clock
  close: () => Promise<void>
}> => {
  const { url, drop } = await testDatabase('chassis')
  await migrate({ url, folder: fileURLToPath(new URL('./migrations', import.meta.url)), log: silent })
  const clock = createClock()
  const db = createDb({
    url,
    name: 'chassis-test',
    log: silent,
    clock,
    poolSize: 8,
    pipelinedConnections: 2,
    timeoutFactor: TEST_TIMEOUT_FACTOR,
  })
  return {
    db,
    url,
    clock,
    close: async () => {
      await db.close()
      await drop()
    },
  }
}

export const anEvent = (name: EventName = 'payment.pending'): EventOf<EventName> => ({
  id: newId('event'),
  name,
  created_at: new Date().toISOString(),
  partners: [],
  merchant: null,
  fact: null,
})
