import { join } from 'node:path'
import { PgBoss } from 'pg-boss'
import type { Site } from '../../parts/bench.ts'
import { startPostgresServer } from '../../parts/servers.ts'
import type { Rival } from '../contender.ts'

export const QUEUE = 'deliveries'

export const openPgBoss = async ({ folder, keep }: Site): Promise<Rival> => {
  const postgres = keep(await startPostgresServer(join(folder, 'pg-boss')))
  const storeUrl = await postgres.createDatabase('jobs')
  const boss = new PgBoss({ connectionString: storeUrl, supervise: false, schedule: false })
  boss.on('error', console.error)
  await boss.start()
  // A table of its own, and a notice to its workers instead of their next poll.
  await boss.createQueue(QUEUE, { partition: true, notify: true })
  const queue = keep({
    add: async (jobs: readonly object[]) => {
      await boss.insert(
        QUEUE,
        jobs.map((data) => ({ data })),
      )
    },
    stop: () => boss.stop(),
  })
  return {
    name: 'pg-boss',
    worker: new URL('./worker.ts', import.meta.url),
    storeUrl,
    store: postgres.process,
    queue,
  }
}
