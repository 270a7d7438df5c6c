/** Commands of the audit log (docs/OPERATIONS.md): `export FILE`, and `verify [FILE] [--head SEQUENCE:HASH]…`. */
import { createClock, createLogger, readHead, type Db, type Verification } from '@causeway/chassis'
import { createDb } from '@causeway/chassis/database'
import { parseArgs } from 'node:util'
import { loadDatabaseUrl } from '../config.ts'
import { exportLog, verifyExport } from './export-file.ts'
import { auditLog } from './store.ts'

const USAGE = 'audit-log: export FILE | verify [FILE] [--head SEQUENCE:HASH]…'

const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const complain = (line: string): boolean => process.stderr.write(`${line}\n`)

class UsageError extends Error {}

const withDatabase = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
  const log = createLogger({ service: 'audit-log', level: 'warn' })
  const db = createDb({
    url: loadDatabaseUrl(),
    name: 'audit-log',
    log,
    clock: createClock(),
    poolSize: 1,
    pipelinedConnections: 1,
  })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

const report = (result: Verification): void => {
  if (result.ok) {
    say(`The audit log is whole: ${result.head.sequence} records`)
    say(`Head ${result.head.sequence}:${result.head.hash}`)
  } else {
    complain(`The audit log is broken: ${result.fault}`)
    process.exitCode = 1
  }
}

const run = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { head: { type: 'string', multiple: true, default: [] } },
  })
  const [command, file, ...more] = positionals
  if (more.length > 0) throw new UsageError('too many arguments')
  if (command === 'export' && file !== undefined) {
    const head = await withDatabase((db) => exportLog(db, file))
    say(`Wrote ${head.sequence} records to ${file}`)
    say(`Head ${head.sequence}:${head.hash}: keep it where this machine cannot reach it`)
  } else if (command === 'verify') {
    const kept = values.head.map(readHead)
    report(
      file === undefined
        ? await withDatabase((db) => auditLog.verify(db, kept))
        : await verifyExport(file, kept),
    )
  } else throw new UsageError('no such command')
}

try {
  await run()
} catch (error) {
  complain(`audit-log: ${error instanceof Error ? error.message : String(error)}`)
  if (error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS'))
    complain(USAGE)
  process.exitCode = 2
}
