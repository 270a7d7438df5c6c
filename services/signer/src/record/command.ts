/** `pnpm signer:verify [--head SEQUENCE:HASH]…`: whether the signer's record is whole (docs/OPERATIONS.md). */
import { createClock, createLogger, readHead } from '@causeway/chassis'
import { createDb } from '@causeway/chassis/database'
import { parseArgs } from 'node:util'
import { loadDatabaseUrl } from '../config.ts'
import { signerRecord } from './store.ts'

const { values } = parseArgs({ options: { head: { type: 'string', multiple: true, default: [] } } })
const db = createDb({
  url: loadDatabaseUrl(),
  name: 'signer-record',
  log: createLogger({ service: 'signer-record', level: 'warn' }),
  clock: createClock(),
  poolSize: 1,
  pipelinedConnections: 1,
})
try {
  const result = await signerRecord.verify(db, values.head.map(readHead))
  if (result.ok) {
    const { sequence, hash } = result.head
    process.stdout.write(`The record is intact: ${sequence} records\nHead ${sequence}:${hash}\n`)
  } else {
    process.stderr.write(`The record is broken: ${result.fault}\n`)
    process.exitCode = 1
  }
} finally {
  await db.close()
}
