import { connectBus, createClock, createLogger } from '@causeway/chassis'
import { createDb } from '@causeway/chassis/database'
import { nudgeSubject, type DomainEvent, type EventOf } from '@causeway/contracts'
import { join } from 'node:path'
import { streamUserOf } from '@causeway/dev-env/infrastructure/nats-permissions'
import { loadSecrets } from '@causeway/dev-env/platform/secrets'
import { newDomainEvent } from './domain-event.ts'
import type { Product } from './product.ts'

/** Commits events to the outbox of the running payments service, as its own operations do, and nudges its relay. */
export const openOutboxWriter = async ({
  platform,
}: Product): Promise<{
  commit: (partnerId: string) => Promise<void>
  commitEvent: (event: DomainEvent) => Promise<void>
  stop: () => Promise<void>
}> => {
  const { natsPasswords, postgresPasswords } = loadSecrets(join(platform.dataDir, 'secrets.json'))
  const log = createLogger({ service: 'bench', level: 'warn' })
  const bus = await connectBus({
    url: `nats://payments:${natsPasswords.payments}@127.0.0.1:${platform.nats?.port ?? 0}`,
    name: 'payments',
    streamUser: streamUserOf('payments'),
    log,
  })
  const db = createDb({
    url: `postgres://payments:${postgresPasswords.payments}@127.0.0.1:${platform.postgres?.port ?? 0}/payments`,
    name: 'payments',
    log,
    clock: createClock(),
    poolSize: 16,
    pipelinedConnections: 1,
  })
  db.onEmitted(() => bus.nudge(nudgeSubject('payments')))
  const commitEvent = (event: DomainEvent) =>
    db.transaction((tx) => {
      tx.emit(event as EventOf<'payment.pending'>)
      return Promise.resolve()
    })
  return {
    commit: (partnerId) => commitEvent(newDomainEvent(partnerId)),
    commitEvent,
    async stop() {
      await Promise.all([db.close(), bus.close()])
    },
  }
}
