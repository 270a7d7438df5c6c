import { createLogger } from '@causeway/chassis'
import { migrate } from '@causeway/chassis/database'
import { execFile, execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Contender, Run } from '../measure/rounds.ts'
import type { Servers } from '../parts/servers.ts'

const PAYMENTS_MIGRATIONS = fileURLToPath(new URL('../../services/payments/migrations', import.meta.url))
const THREADS = 2

const hasPgbench = (): boolean => {
  try {
    execFileSync('pgbench', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const figure = (output: string, pattern: RegExp): number => {
  const found = Number(pattern.exec(output)?.[1])
  if (!Number.isFinite(found)) throw new Error(`pgbench said something unexpected: ${output}`)
  return found
}

const runPgbench = async (
  databaseUrl: string,
  script: string,
  connections: number,
  durationMs: number,
): Promise<Run> => {
  const seconds = String(Math.max(1, Math.round(durationMs / 1_000)))
  const load = ['-c', String(connections), '-j', String(THREADS), '-T', seconds]
  const { stdout } = await promisify(execFile)('pgbench', [
    ...['-n', '-M', 'prepared', ...load, '-f', script],
    databaseUrl,
  ])
  const done = figure(stdout, /number of transactions actually processed: (\d+)/)
  // On a busy machine nothing may finish in time: the run is repeated for longer.
  if (done === 0) return runPgbench(databaseUrl, script, connections, 2 * durationMs)
  return { done, seconds: done / figure(stdout, /^tps = ([\d.]+)/m) }
}

/**
 * Prepares the floor of a write: a service's own tables, filled by `pgbench`. Its scripts number rows by the sequence
 * `floor_numbers`.
 * @param options.name of the database and the script's file
 * @param options.migrations of the service; left out: of payments
 * @param options.setUp SQL that fills the tables first
 * @returns the floor for a number of connections; null where `pgbench` is not on PATH
 */
export const prepareWriteFloor = async (
  servers: Servers,
  options: Readonly<{ folder: string; name: string; migrations?: string; setUp?: string; script: string }>,
): Promise<((connections: number) => Contender) | null> => {
  if (!hasPgbench()) return null
  const databaseUrl = await servers.createDatabase(options.name)
  await migrate({
    url: databaseUrl,
    folder: options.migrations ?? PAYMENTS_MIGRATIONS,
    log: createLogger({ service: 'bench', level: 'silent' }),
  })
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`CREATE SEQUENCE floor_numbers; ${options.setUp ?? ''}`)
  await client.end()
  const script = join(options.folder, `${options.name}.sql`)
  writeFileSync(script, options.script)
  return (connections) => ({
    name: `pgbench, ${connections} connections`,
    processes: [
      ...servers.processes.filter(({ name }) => name === 'postgres'),
      { name: 'pgbench', pid: process.pid, counts: 'endedChildren' },
    ],
    run: (durationMs) => runPgbench(databaseUrl, script, connections, durationMs),
  })
}
