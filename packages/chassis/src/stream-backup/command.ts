/** Commands for backups of the streams (docs/OPERATIONS.md): `backup FOLDER`, `restore FOLDER --until MOMENT`. */
import { STREAM_ACCOUNTS, type StreamAccount } from '@causeway/contracts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClock } from '../clock.ts'
import { loadBackupServer } from './config.ts'
import { backUpStream, restoreStream } from './index.ts'

const USAGE = 'streams: backup FOLDER | restore FOLDER --until MOMENT, such as 2026-01-31T12:00:00Z'
const ACCOUNTS = Object.keys(STREAM_ACCOUNTS) as StreamAccount[]
/** Documents may be in a bucket instead. */
const NO_STREAM = 'NATS: stream not found'

const say = (line: string): boolean => process.stdout.write(`${line}\n`)

class UsageError extends Error {}

const backUp = async (folder: string): Promise<void> => {
  const server = loadBackupServer()
  for (const account of ACCOUNTS)
    try {
      const { state, finished_at: finishedAt } = await backUpStream(server, account, folder, createClock())
      say(`${STREAM_ACCOUNTS[account]}: ${state.messages} messages until ${finishedAt}`)
    } catch (error) {
      if (account === 'events' || !(error instanceof Error) || error.message !== NO_STREAM) throw error
      say(`${STREAM_ACCOUNTS[account]}: there is no such stream`)
    }
}

const restore = async (folder: string, until: Date): Promise<void> => {
  const server = loadBackupServer()
  for (const account of ACCOUNTS.filter((each) => existsSync(join(folder, STREAM_ACCOUNTS[each])))) {
    const { messages } = await restoreStream(server, account, folder, until)
    say(`${STREAM_ACCOUNTS[account]}: restored ${messages} messages`)
  }
}

const run = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { until: { type: 'string' } },
  })
  const [command, folder, ...more] = positionals
  if (folder === undefined || more.length > 0) throw new UsageError('one folder is needed')
  if (command === 'backup') return backUp(folder)
  if (command !== 'restore') throw new UsageError('no such command')
  const untilMs = Date.parse(values.until ?? '')
  if (Number.isNaN(untilMs))
    throw new UsageError('--until names the moment to which the databases were restored')
  return restore(folder, new Date(untilMs))
}

try {
  await run()
} catch (error) {
  process.stderr.write(`streams: ${error instanceof Error ? error.message : String(error)}\n`)
  if (error instanceof UsageError) process.stderr.write(`${USAGE}\n`)
  process.exitCode = 1
}
