import { makeWorkerUtils } from 'graphile-worker'
import { join } from 'node:path'
import type { Site } from '../../parts/bench.ts'
import { startPostgresServer } from '../../parts/servers.ts'
import type { Rival } from '../contender.ts'
import { QUIET } from './quiet.ts'

export const openGraphileWorker = async ({ folder, keep }: Site): Promise<Rival> => {
  const postgres = keep(await startPostgresServer(join(folder, 'graphile-worker')))
  const storeUrl = await postgres.createDatabase('jobs')
  const utils = await makeWorkerUtils({ connectionString: storeUrl, logger: QUIET })
  await utils.migrate()
  const queue = keep({
    add: async (jobs: readonly object[]) => {
      await utils.addJobs(jobs.map((payload) => ({ identifier: 'deliver', payload })))
    },
    stop: async () => {
      await utils.release()
    },
  })
  return {
    name: 'graphile-worker',
    worker: new URL('./worker.ts', import.meta.url),
    storeUrl,
    store: postgres.process,
    queue,
  }
}
