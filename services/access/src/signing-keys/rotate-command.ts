import { createClock, createLogger, followDatabaseTime } from '@causeway/chassis'
import { createDb, openKeyRing } from '@causeway/chassis/database'
import { databaseOf, PUBLISH_LEAD_MS } from '@causeway/contracts'
import { parseArgs } from 'node:util'
import { createKeyring } from './keyring.ts'
import { loadConfig } from '../config.ts'
import { VAULT_USE } from '../columns.ts'

/**
 * Command `signing-keys:rotate [--dry-run]`: adds a signing key now, whatever the age of the newest. Running
 * replicas publish it within a second, sign with it after 10 minutes, when every verifier has read it, and delete the former one
 * when its last token has expired.
 */
const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const isDryRun = parseArgs({ options: { 'dry-run': { type: 'boolean' } } }).values['dry-run'] === true
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
const service = databaseOf('access')
const { vault } = await openKeyRing({ service, db, databaseUrl, clock, log, config: keys, use: VAULT_USE })
const keyring = createKeyring({ db, vault, clock, log, tokenTtlMs, rotateAfterMs })
const kids = () => keyring.jwks().map(({ kid }) => kid)
await keyring.load()
say(`Published signing keys: ${kids().join(', ')}`)
if (isDryRun) say('Dry run: nothing was changed')
else {
  await keyring.rotate({ now: true })
  say(`Published from now on: ${kids().join(', ')}. The newest signs in ${PUBLISH_LEAD_MS / 60_000} minutes`)
  say(`Former ones are deleted when their last token has expired, ${tokenTtlMs / 60_000} minutes later`)
}
stopFollowing()
await db.close()
