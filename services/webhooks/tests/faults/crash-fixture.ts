import { newId } from '@causeway/chassis'
import {
  createWriteBlocker,
  eventually,
  killNow,
  makeStreams,
  startServiceProcess,
  type WriteBlocker,
} from '@causeway/chassis/testing'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { WebhooksConfig } from '../../src/config.ts'
import { ATTEMPTS } from '../attempt-rows.ts'
import { paymentEvent, startHarness, type Harness } from '../harness.ts'
import { startReceiver, type Receiver } from '../receiver.ts'

/** Redelivered events that are older than this are looked up. */
const OLD_MS = 60_000
const HOUR_MS = 3_600_000
/** On a slow machine an attempt, or a stall in the middle of one, takes seconds: none may run into its timeout. */
const TIMEOUT_MS = 300_000
/** Nothing is due unless the test says so, whether a process retries or a replica of the test itself. */
const POLICY = { retryDelaysMs: [HOUR_MS, HOUR_MS], timeoutMs: TIMEOUT_MS }
const ENV = { PARTNER_RETRY_SCHEDULE: '1h,1h', PARTNER_TIMEOUT: `${TIMEOUT_MS}ms` }
/** Past every lease, and past the time after which the stream gives an event again. */
export const LEASES_OVER_MS = 2 * TIMEOUT_MS

export type Sent = Readonly<{ eventId: string; webhookId: string }>

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** A program and its arguments. */
type Entry = readonly [file: string, ...parameters: string[]]

/** Starts a replica as a separate process. @param entry default: the service */
const startReplicaProcess = (config: WebhooksConfig, entry: Entry = [MAIN]): Promise<ChildProcess> =>
  startServiceProcess('webhooks', entry, config, {
    ENCRYPTION_KEY: config.keys.encryptionKey?.toString('base64'),
    WEBHOOK_ALLOW_INSECURE: 'true',
    ...ENV,
  })

/** A replica to kill, its receiver, and what they stored. */
export type Fixture = Readonly<{
  harness: Harness
  hold: WriteBlocker
  receiver: Receiver
  /** The replica that serves, as a process. */
  start: () => Promise<void>
  kill: () => Promise<void>
  signal: (name: 'SIGSTOP' | 'SIGCONT') => void
  /** An event for the receiver's destination. */
  send: () => Promise<Sent>
  /** Another replica takes over, and the stream gives everything again that was not acknowledged. */
  takeOver: () => Promise<void>
  /** The same at a time when every lease is over. The clock moves first: the new replica's own leases must not end. */
  takeOverLater: () => Promise<void>
  /** How often each event arrived at the receiver, in the order of the first arrivals. */
  arrivals: () => [eventId: string, times: number][]
  /** State of an event's deliveries and the status codes of their attempts. */
  recorded: (eventId: string) => Promise<{ state: string; codes: (number | null)[] }[]>
  /** Waits until the delivery of an event has ended well. */
  delivered: (eventId: string) => Promise<void>
  clear: () => Promise<void>
  stop: () => Promise<void>
}>

export const startFaultFixture = async (entry?: Entry): Promise<Fixture> => {
  const harness = await startHarness(undefined, { policies: { partner: POLICY, merchant: POLICY } })
  await harness.stopReplicas()
  const hold = await createWriteBlocker(harness.config.databaseUrl, 'deliveries')
  const receiver = await startReceiver()
  let child: ChildProcess | null = null
  let advancedMs = 0
  const createDestination = async () => {
    const partnerId = newId('partner')
    const { webhook } = await harness.createWebhook(partnerId, receiver.url)
    return { partnerId, webhookId: webhook.webhook_id }
  }
  let destination: ReturnType<typeof createDestination> | null = null
  const kill = async () => {
    if (child) await killNow(child)
    child = null
  }
  const recorded: Fixture['recorded'] = (eventId) =>
    harness.sql(
      `SELECT d.state, array_remove(array_agg(a.status_code ORDER BY a.at), NULL) AS codes
       FROM deliveries d LEFT JOIN ${ATTEMPTS} a ON a.delivery_id = d.id WHERE d.event_id = $1 GROUP BY d.id, d.state`,
      [eventId],
    )
  const takeOver = async () => {
    const manager = await harness.bus.jetstreamManager()
    await manager.consumers.delete('EVENTS', 'webhooks-fanout')
    await makeStreams(harness.bus)
    await harness.startReplica()
  }
  return {
    harness,
    hold,
    receiver,
    async start() {
      child = await startReplicaProcess(harness.config, entry)
    },
    kill,
    signal: (name) => child?.kill(name),
    async send() {
      destination ??= createDestination()
      const { partnerId, webhookId } = await destination
      const created_at = new Date(Date.now() - OLD_MS).toISOString()
      const event = paymentEvent(partnerId, { created_at })
      await harness.publishEvent(event)
      return { eventId: event.id, webhookId }
    },
    takeOver,
    async takeOverLater() {
      advancedMs += LEASES_OVER_MS
      harness.clock.advance(LEASES_OVER_MS)
      await takeOver()
    },
    arrivals: () => {
      const times = new Map<string, number>()
      for (const { body } of receiver.hits) {
        const { event_id: eventId } = JSON.parse(body) as { event_id: string }
        times.set(eventId, (times.get(eventId) ?? 0) + 1)
      }
      return [...times]
    },
    recorded,
    async delivered(eventId) {
      await eventually(async () => (await recorded(eventId))[0]?.state === 'delivered')
    },
    async clear() {
      await kill()
      await harness.stopReplicas()
      // Back to the time of the processes, which refuse callers whose clock is minutes ahead.
      harness.clock.advance(-advancedMs)
      advancedMs = 0
      receiver.hits.length = 0
      receiver.answerWith((response) => response.end())
      destination = null
    },
    async stop() {
      await hold.close()
      await receiver.close()
      await harness.stop()
    },
  }
}
