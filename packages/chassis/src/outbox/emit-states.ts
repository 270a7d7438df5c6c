import { setTimeout as sleep } from 'node:timers/promises'
import { createClock } from '../clock.ts'
import { createDb, type Db, type Transaction } from '../db/db.ts'
import { loadServiceDatabase } from '../keys/config.ts'
import { fail } from '../lifecycle.ts'
import { createLogger } from '../log.ts'
import { readBacklog } from './store.ts'

const PAGE = 200
/** Events that may wait for the relay: the service's own events wait behind them for less than a second. */
const MOST_WAITING = 1_000
const PAUSE_MS = 100

/** Emits the current state of a page of rows that other services project. @returns the rows' keys, in their order */
export type StateSource = (
  tx: Transaction,
  page: Readonly<{ after: string; limit: number; now: Date }>,
) => Promise<readonly string[]>

const whenRelayed = async (db: Db): Promise<void> => {
  for (;;) {
    const backlog = await readBacklog(db.pooled, { bound: MOST_WAITING })
    if ((backlog?.waiting ?? 0) < MOST_WAITING) return
    await sleep(PAUSE_MS)
  }
}

/**
 * Emits the current state of everything that other services project, while the service runs. Consumers store only newer
 * states, so a projection that missed events, or that is empty, then equals its source.
 * @returns how many states of each source were emitted
 */
export const emitStates = async (
  db: Db,
  sources: Readonly<Record<string, StateSource>>,
  now: () => Date,
): Promise<Readonly<Record<string, number>>> => {
  const counts: Record<string, number> = {}
  for (const [name, source] of Object.entries(sources)) {
    let emitted = 0
    let keys: readonly string[] = ['']
    while (keys.length > 0) {
      await whenRelayed(db)
      const page = { after: keys.at(-1) ?? '', limit: PAGE, now: now() }
      keys = await db.transaction((tx) => source(tx, page))
      emitted += keys.length
    }
    counts[name] = emitted
  }
  return counts
}

type Command = Readonly<{ service: string; sources: Readonly<Record<string, StateSource>> }>

const run = async ({ service, sources }: Command): Promise<void> => {
  const { databaseUrl: url, logLevel } = loadServiceDatabase(service)
  const log = createLogger({ service: 'rebuild-projections', level: logLevel })
  const clock = createClock()
  const db = createDb({ url, name: 'rebuild-projections', log, clock, poolSize: 2, pipelinedConnections: 1 })
  const counts = await emitStates(db, sources, () => clock.now())
  await db.close()
  log.info(
    { event: 'projections.emitted', ...counts },
    'The current state of every projected row was emitted',
  )
}

/** Command of a service: {@link emitStates} on its database. A fault is one line. */
export const runEmitStates = (command: Command): Promise<void> =>
  run(command).catch((error: unknown) => fail(command.service, error))
