import { setTimeout as delay } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import type { Site } from '../parts/bench.ts'
import { startChild, type Child } from '../parts/child.ts'
import { newDomainEvent } from '../parts/domain-event.ts'
import { newDestinations, type WorkerArgument } from '../rivals/contender.ts'
import { createFeeder } from '../rivals/feeder.ts'
import { createAdd } from '../rivals/pg-boss/feed.ts'
import { openPgBoss } from '../rivals/pg-boss/queue.ts'
import { openStore } from '../rivals/store.ts'
import type { QueueSystem } from './queue-system.ts'

const CONNECTIONS = 8
const START_AGAIN_MS = 100

/** A worker that is started again whenever it ends, as the platform's processes are. */
const superviseWorker = async (worker: URL, argument: WorkerArgument, logFile: string) => {
  let child: Child | null = null
  const stopping = new AbortController()
  const run = async () => {
    child = await startChild(worker, argument, { logFile })
    if (stopping.signal.aborted) await child.stop()
    await child.exited
  }
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      // It does not start while PostgreSQL is unavailable.
      await run().catch(() => undefined)
      child = null
      await delay(START_AGAIN_MS)
    }
  })()
  const ready = async () => {
    while (child === null) await delay(START_AGAIN_MS)
    return child
  }
  await ready()
  return {
    kill: () => {
      if (child !== null) process.kill(child.pid, 'SIGKILL')
    },
    async restart() {
      await (await ready()).stop()
      await ready()
    },
    async stop() {
      stopping.abort()
      await child?.stop()
      await watching
    },
  }
}

/** pg-boss with two workers as `rivals` runs one; events are stored by a producer in this process. */
export const openPgBossSystem = async (site: Site, url: string): Promise<QueueSystem> => {
  const rival = await openPgBoss(site)
  const { storeUrl } = rival
  const destinations = newDestinations()
  const argument = { storeUrl, url, connections: CONNECTIONS, destinations }
  const store = openStore(storeUrl)
  site.keep({ stop: () => store.close() })
  const boss = new PgBoss({ connectionString: storeUrl, supervise: false, schedule: false })
  // An error rejects the call that it belongs to.
  boss.on('error', () => undefined)
  await boss.start()
  site.keep({ stop: () => boss.stop({ graceful: false }) })
  const feed = createFeeder(destinations, createAdd(store, boss))
  const workers = await Promise.all(
    ['pg-boss-1.log', 'pg-boss-2.log'].map((name) =>
      superviseWorker(rival.worker, argument, `${site.folder}/${name}`),
    ),
  )
  for (const worker of workers) site.keep(worker)
  let made = 0
  let killed = 0
  return {
    name: 'pg-boss',
    newEvent: () => newDomainEvent(destinations[(made += 1) % destinations.length]?.ownerId ?? ''),
    store: (event) => feed([JSON.stringify(event)]),
    databases: [{ url: storeUrl, table: 'pgboss.job' }],
    killWorker: () => {
      workers[killed % workers.length]?.kill()
      killed += 1
    },
    restartWorkers: async () => {
      for (const worker of workers) await worker.restart()
    },
    restartDatabase: rival.restartStore,
  }
}
