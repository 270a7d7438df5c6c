import { createClock, newId, newIdAt, type Clock } from '@causeway/chassis'
import { eventually, openTestService, TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import {
  deliveries,
  destinations,
  disabledPartners,
  type Delivery,
  type DomainEvent,
  type PartnerWebhook,
} from '@causeway/contracts'
import { randomBytes } from 'node:crypto'
import type { WebhooksConfig } from '../src/config.ts'
import { startWebhooks, type Outside } from '../src/service.ts'

const operator = { kind: 'operator', actor: 'test' } as const
const MINUTE_MS = 60_000
/** Replicas of one database have one key. */
const ENCRYPTION_KEY = randomBytes(32)
export const SCHEDULE_MS = [1, 5, 25, 120, 600, 1440].map((minutes) => minutes * MINUTE_MS)

export type Harness = Awaited<ReturnType<typeof startHarness>>

/** An event for one partner, as payments would emit it. */
export const paymentEvent = (partnerId: string, changes: Partial<DomainEvent> = {}): DomainEvent => ({
  id: newIdAt('event', changes.created_at === undefined ? Date.now() : Date.parse(changes.created_at)),
  name: 'payment.confirmed',
  created_at: new Date().toISOString(),
  partners: [
    {
      partner_id: partnerId,
      partner_customer_id: newId('relationship'),
      type: 'payment.confirmed',
      data: { order_id: newId('cryptoOrder'), rail: 'crypto', status: 'paid', tx_id: null },
    },
  ],
  merchant: null,
  fact: null,
  ...changes,
})

/** Starts the service with a separate database and a clock that the test moves. */
export const startHarness = async (outside?: Outside, settings: Partial<WebhooksConfig> = {}) => {
  // `outsideMs` moves too, so that receivers see the time in the timestamps of signatures.
  let passedMs = 0
  const clock: Clock = {
    ...createClock(() => performance.timeOrigin + performance.now() + passedMs),
    advance: (ms) => {
      passedMs += ms
    },
  }
  const service = await openTestService('webhooks', clock)
  const { ask } = service
  const config: WebhooksConfig = {
    ...service.config,
    keys: { encryptionKey: ENCRYPTION_KEY },
    policies: {
      // No attempt times out, however slow the machine is: a test that withholds an answer gives it later.
      partner: { retryDelaysMs: SCHEDULE_MS, timeoutMs: TEST_DEADLINE_MS },
      merchant: { retryDelaysMs: [15 * MINUTE_MS, 15 * MINUTE_MS], timeoutMs: TEST_DEADLINE_MS },
    },
    allowInsecure: true,
    eventRetentionMs: 720 * 60 * MINUTE_MS,
    attemptRetentionMs: 720 * 60 * MINUTE_MS,
    ...settings,
  }
  /** Starts a replica; the first one is started already. */
  const startReplica = (changes: Partial<WebhooksConfig> = {}, replicaOutside = outside) =>
    service.addReplica(startWebhooks({ ...config, ...changes }, replicaOutside))
  await startReplica()
  const deliveriesOf = async (partnerId: string, webhookId: string): Promise<Delivery[]> => {
    const listed = await ask(deliveries.list, operator, { params: { partnerId, webhookId }, query: {} })
    if (!listed.ok) throw new Error(listed.code)
    return listed.value.deliveries
  }
  return {
    ...service,
    config,
    startReplica,
    async createWebhook(
      partnerId: string,
      url: string,
      types?: string[],
    ): Promise<{ webhook: PartnerWebhook; secret: string }> {
      const body = types === undefined ? { url } : { url, event_types: types }
      const created = await ask(destinations.create, operator, { params: { partnerId }, body })
      if (!created.ok) throw new Error(JSON.stringify(created))
      return { webhook: created.value.webhook, secret: created.value.webhook_secret }
    },
    /** Sends the set of disabled partners as the gateway does. @returns whether it was accepted */
    async setDisabledPartners(revision: number, partnerIds: string[]): Promise<boolean> {
      const caller = { kind: 'service', service: 'gateway' } as const
      const body = { revision, partner_ids: partnerIds }
      const answer = await ask(disabledPartners.update, caller, { body })
      if (!answer.ok) throw new Error(JSON.stringify(answer))
      return answer.value.accepted
    },
    deliveriesOf,
    /** Waits until the newest delivery of a destination meets a condition. */
    deliveryWhen: (partnerId: string, webhookId: string, fits: (delivery: Delivery) => boolean) =>
      eventually(async () => {
        const [newest] = await deliveriesOf(partnerId, webhookId)
        return newest && fits(newest) ? newest : undefined
      }),
  }
}
