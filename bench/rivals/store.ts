import { createClock, createLogger, type Db } from '@causeway/chassis'
import { createDb, migrate } from '@causeway/chassis/database'
import { fileURLToPath } from 'node:url'

const MIGRATIONS = fileURLToPath(new URL('../../services/webhooks/migrations', import.meta.url))
const LANES = 4
const POOL_SIZE = 4

const log = createLogger({ service: 'rival', level: 'warn' })

/**
 * Creates the product's own tables, with all their indexes, next to the rival's, so that the records can be read the
 * same way.
 */
export const createTables = (url: string): Promise<void> => migrate({ url, folder: MIGRATIONS, log })

/** The product's own client, in addition to the connections of the rival: prepared statements, arrays in binary, pipelined. */
export const openStore = (url: string): Db =>
  createDb({
    url,
    name: 'rival',
    log,
    clock: createClock(),
    poolSize: POOL_SIZE,
    pipelinedConnections: LANES,
  })
