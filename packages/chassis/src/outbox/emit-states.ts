import { setTimeout as sleep } from 'node:timers/promises'
import { createClock } from '../clock.ts'
import { createDb, type Db, type Transaction } from '../db/db.ts'
import { loadServiceDatabase } from '../keys/config.ts'
import { fail } from '../lifecycle.ts'
import { createLogger, type Logger } from '../log.ts'
import { readBacklog } from './store.ts'

const PAGE = 200
/** Events that may wait for the relay, so that those of the service itself wait for less than a second behind them. */
const MOST_WAITING = 1_000
const PAUSE_MS = 100

/** Emits the present state of a page of rows that other services project. @returns the rows' keys, in their order */
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
 * Emits the present state of everything that other services project, while the service runs. Their consumers store what
 * is newer than what they have: a projection that lost events, or that is empty, then equals its source.
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
    for (let after: string | undefined = ''; after !== undefined;) {
      await whenRelayed(db)
      const from: string = after
      const keys = await db.transaction((tx) => source(tx, { after: from, limit: PAGE, now: now() }))
      emitted += keys.length
      after = keys.at(-1)
    }
    counts[name] = emitted
  }
  return counts
}

type Command = Readonly<{ service: string; sources: Readonly<Record<string, StateSource>> }>

const run = async ({ service, sources }: Command): Promise<void> => {
  const { databaseUrl: url, logLevel } = loadServiceDatabase(service)
  const log: Logger = createLogger({ service: 'rebuild-projections', level: logLevel })
  const clock = createClock()
  const db = createDb({ url, name: 'rebuild-projections', log, clock, poolSize: 2, pipelinedConnections: 1 })
  const counts = await emitStates(db, sources, () => clock.now())
  await db.close()
  log.info(
    { event: 'projections.emitted', ...counts },
    'The present state of what other services project was emitted',
  )
}

/** Command of a service: {@link emitStates} on its database. A fault is one line. */
export const runEmitStates = (command: Command): Promise<void> =>
  run(command).catch((error: unknown) => fail(command.service, error))
