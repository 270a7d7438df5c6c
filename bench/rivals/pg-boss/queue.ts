import { join } from 'node:path'
import { PgBoss } from 'pg-boss'
import type { Site } from '../../parts/bench.ts'
import { startPostgresServer } from '../../parts/servers.ts'
import type { Rival } from '../contender.ts'
import { createTables } from '../store.ts'

export const QUEUE = 'deliveries'

export const openPgBoss = async ({
  folder,
  keep,
}: Site): Promise<Rival & Readonly<{ restartStore: () => Promise<void> }>> => {
  const postgres = keep(await startPostgresServer(join(folder, 'pg-boss')))
  const storeUrl = await postgres.createDatabase('jobs')
  const boss = new PgBoss({ connectionString: storeUrl, supervise: false, schedule: false })
  boss.on('error', console.error)
  await boss.start()
  // A separate table, and a notification to its workers instead of their next poll.
  await boss.createQueue(QUEUE, { partition: true, notify: true })
  await boss.stop()
  await createTables(storeUrl)
  return {
    name: 'pg-boss',
    worker: new URL('./worker.ts', import.meta.url),
    storeUrl,
    store: postgres.process,
    restartStore: () => postgres.restart(),
  }
}
