/** Commands for backups of the streams (docs/OPERATIONS.md): `backup FOLDER`, `restore FOLDER --until MOMENT|--documents`. */
import { STREAM_ACCOUNTS, type StreamAccount } from '@causeway/contracts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClock } from '../clock.ts'
import { loadBackupServer } from './config.ts'
import { backUpStream, restoreStream } from './index.ts'

const USAGE =
  'Usage: streams backup FOLDER | restore FOLDER --until TIME, such as 2026-01-31T12:00:00Z | restore FOLDER --documents'
const ACCOUNTS = Object.keys(STREAM_ACCOUNTS) as StreamAccount[]
/** Documents may be in a bucket instead. */
const NO_STREAM = 'NATS: stream not found'
const STREAM_EXISTS = 'NATS: stream name already in use, cannot restore'

const say = (line: string): boolean => process.stdout.write(`${line}\n`)

class UsageError extends Error {}

const isOfDocuments = (account: StreamAccount, error: unknown, message: string): boolean =>
  account === 'documents' && error instanceof Error && error.message === message

const backUp = async (folder: string): Promise<void> => {
  const server = loadBackupServer()
  for (const account of ACCOUNTS)
    try {
      const { state, finished_at: finishedAt } = await backUpStream(server, account, folder, createClock())
      say(`${STREAM_ACCOUNTS[account]}: ${state.messages} messages until ${finishedAt}`)
    } catch (error) {
      if (!isOfDocuments(account, error, NO_STREAM)) throw error
      say(`${STREAM_ACCOUNTS[account]}: the stream does not exist`)
    }
}

const restore = async (folder: string, accounts: readonly StreamAccount[], until: Date): Promise<void> => {
  const server = loadBackupServer()
  for (const account of accounts.filter((each) => existsSync(join(folder, STREAM_ACCOUNTS[each]))))
    try {
      const { messages } = await restoreStream(server, account, folder, until)
      say(`${STREAM_ACCOUNTS[account]}: restored ${messages} messages`)
    } catch (error) {
      // Documents that are still there are more than a snapshot has, and harmless.
      if (!isOfDocuments(account, error, STREAM_EXISTS)) throw error
      say(`${STREAM_ACCOUNTS[account]}: the server has this stream, it stays as it is`)
    }
}

const run = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { until: { type: 'string' }, documents: { type: 'boolean' } },
  })
  const [command, folder, ...more] = positionals
  if (folder === undefined || more.length > 0) throw new UsageError('name exactly one folder')
  if (command === 'backup') return backUp(folder)
  if (command !== 'restore') throw new UsageError('unknown command')
  // Documents from after the moment are harmless, so that their snapshot may be of any time.
  if (values.documents === true) return restore(folder, ['documents'], createClock().now())
  const untilMs = Date.parse(values.until ?? '')
  if (Number.isNaN(untilMs))
    throw new UsageError('set --until to the time to which the databases were restored')
  return restore(folder, ACCOUNTS, new Date(untilMs))
}

try {
  await run()
} catch (error) {
  process.stderr.write(`streams: ${error instanceof Error ? error.message : String(error)}\n`)
  if (error instanceof UsageError) process.stderr.write(`${USAGE}\n`)
  process.exitCode = 1
}
