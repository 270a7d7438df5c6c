import { createClock, createDb, createLogger, followDatabaseTime, openKeyRing } from '@causeway/chassis'
import { createKeyring } from './keyring.ts'
import { loadConfig } from '../config.ts'
import { VAULT_USE } from '../sealed-columns.ts'

/**
 * Command: adds a signing key now, whatever the age of the newest. Running gateways publish it within a second, and sign
 * with it after 10 minutes, when every verifier has read it.
 */
const config = loadConfig()
const log = createLogger({ service: 'rotate-keys', level: config.logLevel })
const clock = createClock()
const db = createDb({
  url: config.databaseUrl,
  name: 'rotate-keys',
  log,
  clock,
  poolSize: 1,
  pipelinedConnections: 1,
})
const stopFollowing = await followDatabaseTime(db, clock, log)
const { tokenTtlMs, rotateKeysAfterMs: rotateAfterMs } = config
const { databaseUrl, keys } = config
const service = 'gateway'
const { vault } = await openKeyRing({ service, db, databaseUrl, clock, log, config: keys, use: VAULT_USE })
await createKeyring({ db, vault, clock, log, tokenTtlMs, rotateAfterMs }).rotate({ now: true })
stopFollowing()
await db.close()
