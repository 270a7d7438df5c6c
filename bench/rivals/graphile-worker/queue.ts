import { makeWorkerUtils } from 'graphile-worker'
import { join } from 'node:path'
import type { Site } from '../../parts/bench.ts'
import { startPostgresServer } from '../../parts/servers.ts'
import type { Rival } from '../contender.ts'
import { createTables } from '../store.ts'
import { QUIET } from './quiet.ts'

export const openGraphileWorker = async ({ folder, keep }: Site): Promise<Rival> => {
  const postgres = keep(await startPostgresServer(join(folder, 'graphile-worker')))
  const storeUrl = await postgres.createDatabase('jobs')
  const utils = await makeWorkerUtils({ connectionString: storeUrl, logger: QUIET })
  await utils.migrate()
  await utils.release()
  await createTables(storeUrl)
  return {
    name: 'graphile-worker',
    worker: new URL('./worker.ts', import.meta.url),
    storeUrl,
    store: postgres.process,
  }
}
