import { connectBus, createLogger } from '@causeway/chassis'
import { join } from 'node:path'
import { streamUserOf } from '@causeway/dev-env/infrastructure/nats-permissions'
import { loadSecrets } from '@causeway/dev-env/platform/secrets'
import { newDomainEvent } from './domain-event.ts'
import type { Product } from './product.ts'

const AT_ONCE = 256

/** Publishes events into the product's stream as the payments service, without its outbox. */
export const connectPublisher = async (
  product: Product,
): Promise<{
  publish: (partnerIds: readonly string[], count: number) => Promise<void>
  stop: () => Promise<void>
}> => {
  const { natsPasswords } = loadSecrets(join(product.platform.dataDir, 'secrets.json'))
  const bus = await connectBus({
    url: `nats://payments:${natsPasswords.payments}@127.0.0.1:${product.platform.nats?.port ?? 0}`,
    name: 'payments',
    streamUser: streamUserOf('payments'),
    log: createLogger({ service: 'bench', level: 'warn' }),
  })
  const publishOne = (partnerId: string) => {
    const event = newDomainEvent(partnerId)
    return bus.publishEvent(`events.payments.${event.name}`, JSON.stringify(event), event.id, null)
  }
  return {
    async publish(partnerIds, count) {
      for (let from = 0; from < count; from += AT_ONCE) {
        const batch = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) =>
          publishOne(partnerIds[(from + index) % partnerIds.length] as string),
        )
        await Promise.all(batch)
      }
    },
    stop: () => bus.close(),
  }
}
