import { createCursors, startService, type Running } from '@causeway/chassis'
import { fileURLToPath } from 'node:url'
import { createPayments } from './clients/payments.ts'
import type { WebhooksConfig } from './config.ts'
import { dial } from './delivery/dial.ts'
import { createConnect, type Network } from './delivery/connector.ts'
import { createResolver } from './delivery/resolver.ts'
import { startEngine } from './engine/engine.ts'
import { startAttemptDays } from './jobs/attempt-days.ts'
import { startEventRetention } from './jobs/event-retention.ts'
import { startRedeliverer } from './jobs/redeliverer.ts'
import { startWaitingGauge } from './jobs/waiting-gauge.ts'
import { deliveryOperations } from './operations/deliveries.ts'
import { destinationOperations } from './operations/destinations.ts'
import { eventOperations } from './operations/events.ts'
import { createIntegrationOwners } from './operations/integration-owners.ts'
import { integrationUrlOperations } from './operations/integration-urls.ts'
import { merchantDeliveryOperations } from './operations/merchant-deliveries.ts'
import { merchantEventOperations } from './operations/merchant-events.ts'
import { merchantRedeliveryOperations } from './operations/merchant-redeliveries.ts'
import { redeliveryOperations } from './operations/redeliveries.ts'
import { registrationDeliveryOperations } from './operations/registration-deliveries.ts'
import { registrationEventOperations } from './operations/registration-events.ts'
import { registrationRedeliveryOperations } from './operations/registration-redeliveries.ts'
import { registrationOperations } from './operations/registrations.ts'
import { subscriptionOperations } from './operations/subscriptions.ts'
import { followIntegrations } from './reactions/integrations.ts'
import { VAULT_USE } from './sealed-columns.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

/** Parts that tests replace: how names are resolved and addresses dialled. */
export type Outside = Pick<Network, 'resolve' | 'dial'>

/** Starts the webhooks service: its operations and the delivery engine. */
export const startWebhooks = (config: WebhooksConfig, outside?: Outside): Promise<Running> =>
  startService(
    {
      name: 'webhooks',
      migrations: MIGRATIONS,
      keys: VAULT_USE,
      build: async (context) => {
        const network = {
          ...(outside ?? { resolve: createResolver(), dial }),
          allowInsecure: config.allowInsecure,
        }
        const engine = await startEngine({ context, network, policies: config.policies })
        const projection = followIntegrations(context)
        const { eventRetentionMs } = config
        const redeliverer = startRedeliverer({ context, engine, eventRetentionMs })
        const jobs = [
          redeliverer,
          startWaitingGauge(context),
          startAttemptDays(context, config.attemptRetentionMs),
          startEventRetention(context, eventRetentionMs),
        ]
        const parts = {
          ...context,
          engine,
          connect: createConnect(network),
          owners: createIntegrationOwners({ db: context.db, payments: createPayments(context) }),
          merchantTimeoutMs: config.policies.merchant.timeoutMs,
          cursors: createCursors(context.vault),
          urlPolicy: { allowInsecure: config.allowInsecure },
          eventRetentionMs,
          redeliverer,
        }
        return {
          operations: [
            ...subscriptionOperations(parts),
            ...destinationOperations(parts),
            ...deliveryOperations(parts),
            ...eventOperations(parts),
            ...redeliveryOperations(parts),
            ...merchantDeliveryOperations(parts),
            ...merchantEventOperations(parts),
            ...merchantRedeliveryOperations(parts),
            ...registrationOperations(parts),
            ...registrationDeliveryOperations(parts),
            ...registrationEventOperations(parts),
            ...registrationRedeliveryOperations(parts),
            ...integrationUrlOperations(parts),
          ],
          async stop() {
            await Promise.all([projection, ...jobs].map((part) => part.stop()))
            await engine.stop()
          },
        }
      },
    },
    config,
  )
