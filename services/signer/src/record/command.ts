/** `pnpm signer:verify [--head SEQUENCE:HASH]…`: whether the signer's record is whole (docs/OPERATIONS.md). */
import { createClock, createDb, createLogger, type Head } from '@causeway/chassis'
import { parseArgs } from 'node:util'
import { loadDatabaseUrl } from '../config.ts'
import { verifyRecord } from './log.ts'

const headOf = (text: string): Head => {
  const [, sequence, hash] = /^([1-9]\d*):([0-9a-f]{64})$/.exec(text) ?? []
  if (sequence === undefined || hash === undefined) throw new Error(`${text} is not SEQUENCE:HASH`)
  return { sequence: Number(sequence), hash }
}

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
  const result = await verifyRecord(db, values.head.map(headOf))
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
