import { createCursors, createServiceClient, type Running } from '@causeway/chassis'
import { startService } from '@causeway/chassis/database'
import { fileURLToPath } from 'node:url'
import { createPayments } from './clients/payments.ts'
import type { WebhooksConfig } from './config.ts'
import { dial } from './connect-guard/dial.ts'
import { createConnect, type Network } from './connect-guard/connect.ts'
import { createResolver } from './connect-guard/resolver.ts'
import { startEngine } from './engine/engine.ts'
import { createRecorder } from './engine/record/record-store.ts'
import { startDailyPartitions } from './attempts/jobs/daily-partitions.ts'
import { startEventRetention } from './events/jobs/retention.ts'
import { startRedeliveryJob } from './redeliveries/jobs/redelivery.ts'
import { startDeliveryGauges } from './deliveries/jobs/delivery-gauges.ts'
import { deliveryOperations } from './deliveries/operations.ts'
import type { SendSample } from './destinations/managing.ts'
import { destinationOperations } from './destinations/operations.ts'
import { disabledPartnerOperations } from './disabled-partners/operations.ts'
import { endpointOperations } from './endpoints/operations.ts'
import { eventOperations } from './events/operations.ts'
import { createIntegrationOwners } from './integrations/owners.ts'
import { startFeedWaits } from './feed/jobs/feed-waits.ts'
import { feedOperations } from './feed/operations.ts'
import { integrationUrlOperations } from './integration-urls/operations.ts'
import { redeliveryOperations } from './redeliveries/operations.ts'
import { sendPartnerSample } from './test-calls/test-call.ts'
import { registrationOperations } from './registrations/operations.ts'
import { subscriptionOperations } from './subscriptions/operations.ts'
import { followIntegrations } from './integrations/reactions.ts'
import { VAULT_USE } from './columns.ts'

const PAYMENTS_TIMEOUT_MS = 3_000
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
        const { eventRetentionMs, attemptRetentionMs } = config
        const network = {
          ...(outside ?? { resolve: createResolver(), dial }),
          allowInsecure: config.allowInsecure,
        }
        const feedWaits = startFeedWaits(context)
        const record = feedWaits.waking(
          createRecorder({ attemptsOutliveDeliveries: attemptRetentionMs >= eventRetentionMs }),
        )
        const engine = await startEngine({ context, network, policies: config.policies, record })
        const attemptTimeoutMs = Math.max(...Object.values(config.policies).map(({ timeoutMs }) => timeoutMs))
        const projection = followIntegrations(context)
        const redeliveryJob = startRedeliveryJob({ context, engine, eventRetentionMs, attemptTimeoutMs })
        const jobs = [
          redeliveryJob,
          startDeliveryGauges(context),
          startDailyPartitions(context, attemptRetentionMs),
          startEventRetention(context, eventRetentionMs),
        ]
        const ask = createServiceClient({ ...context, timeoutMs: PAYMENTS_TIMEOUT_MS })
        const dependencies = {
          ...context,
          engine,
          record,
          feedWaits,
          connect: createConnect(network),
          owners: createIntegrationOwners({ db: context.db, payments: createPayments(ask) }),
          timeoutsMs: {
            partner: config.policies.partner.timeoutMs,
            merchant: config.policies.merchant.timeoutMs,
          },
          cursors: createCursors(context.vault),
          urlPolicy: { allowInsecure: config.allowInsecure },
          eventRetentionMs,
          attemptRetentionMs,
          redeliveryJob,
        }
        const sendSample: SendSample = (destination, times) =>
          sendPartnerSample(dependencies, destination, times)
        return {
          operations: [
            ...subscriptionOperations(dependencies),
            ...destinationOperations(dependencies, sendSample),
            ...endpointOperations(dependencies, sendSample),
            ...disabledPartnerOperations(dependencies),
            ...deliveryOperations(dependencies),
            ...eventOperations(dependencies),
            ...feedOperations(dependencies),
            ...redeliveryOperations(dependencies),
            ...registrationOperations(dependencies),
            ...integrationUrlOperations(dependencies),
          ],
          async stop() {
            await Promise.all([projection, ...jobs].map((job) => job.stop()))
            await engine.stop()
            await feedWaits.stop()
          },
        }
      },
    },
    config,
  )
