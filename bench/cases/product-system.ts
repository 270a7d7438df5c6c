import { join } from 'node:path'
import { uniqueViolation } from '@causeway/chassis'
import { loadSecrets } from '@causeway/dev-env/platform/secrets'
import type { Site } from '../parts/bench.ts'
import { createDestinations } from '../parts/destinations.ts'
import { newDomainEvent } from '../parts/domain-event.ts'
import { openOutboxWriter } from '../parts/outbox-writer.ts'
import { startProduct } from '../parts/product.ts'
import type { QueueSystem } from './queue-system.ts'

/** The platform: events are stored in the outbox of payments, and two replicas of webhooks deliver them. */
export const openProduct = async ({ folder, keep }: Site, url: string): Promise<QueueSystem> => {
  const product = keep(await startProduct(folder))
  const { platform } = product
  const [partnerId = ''] = await createDestinations(product, url, 1)
  const writer = keep(await openOutboxWriter(product))
  const workers = [platform.processes.webhooks, await platform.startReplica('webhooks', {})]
  const { postgresPasswords } = loadSecrets(join(platform.dataDir, 'secrets.json'))
  const database = (name: 'payments' | 'webhooks', table: string) => ({
    url: `postgres://${name}:${postgresPasswords[name]}@127.0.0.1:${platform.postgres?.port ?? 0}/${name}`,
    table,
  })
  let killed = 0
  return {
    name: 'product',
    newEvent: () => newDomainEvent(partnerId),
    store: (event) =>
      writer.commitEvent(event).catch((error: unknown) => {
        // It was stored by the call whose answer was lost.
        if (uniqueViolation(error) === null) throw error
      }),
    databases: [database('payments', 'outbox_events'), database('webhooks', 'deliveries')],
    killWorker: () => {
      workers[killed % workers.length]?.kill('SIGKILL')
      killed += 1
    },
    restartWorkers: async () => {
      for (const worker of workers) await worker.restart()
    },
    restartDatabase: async () => {
      await platform.postgres?.restart()
    },
  }
}
