import { newId } from '@causeway/chassis'
import { eventually, makeStreams } from '@causeway/chassis/testing'
import type { ChildProcess } from 'node:child_process'
import { paymentEvent, startHarness, type Harness } from '../harness.ts'
import { startReceiver, type Receiver } from '../receiver.ts'
import { killNow, startReplicaProcess } from '../replica-process.ts'
import { createHold, type Hold } from './write-blocker.ts'

/** What the stream gives again is looked up once it is older than this. */
const OLD_MS = 60_000

export type Sent = Readonly<{ eventId: string; webhookId: string }>

/** A replica to be killed, a receiver of its own, and what is left of them. */
export type Fixture = Readonly<{
  harness: Harness
  hold: Hold
  receiver: Receiver
  /** The replica that serves, as a process. */
  start: () => Promise<void>
  kill: () => Promise<void>
  signal: (name: 'SIGSTOP' | 'SIGCONT') => void
  /** An event for the receiver's destination. */
  send: () => Promise<Sent>
  /** Another replica takes over, and the stream gives everything again that was not acknowledged. */
  takeOver: () => Promise<void>
  /** How often each event arrived at the receiver, in the order of the first arrivals. */
  arrivals: () => [eventId: string, times: number][]
  /** State of an event's deliveries and the status codes of their attempts. */
  recorded: (eventId: string) => Promise<{ state: string; codes: (number | null)[] }[]>
  /** Waits until the delivery of an event has ended well. */
  delivered: (eventId: string) => Promise<void>
  clear: () => Promise<void>
  stop: () => Promise<void>
}>

export const startFaultFixture = async (
  env: Record<string, string>,
  entry?: Parameters<typeof startReplicaProcess>[2],
): Promise<Fixture> => {
  const harness = await startHarness()
  await harness.stopReplicas()
  const hold = await createHold(harness.config.databaseUrl)
  const receiver = await startReceiver()
  let child: ChildProcess | null = null
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
       FROM deliveries d LEFT JOIN attempts a ON a.delivery_id = d.id WHERE d.event_id = $1 GROUP BY d.id, d.state`,
      [eventId],
    )
  return {
    harness,
    hold,
    receiver,
    async start() {
      child = await startReplicaProcess(harness.config, env, entry)
    },
    kill,
    signal: (name) => child?.kill(name),
    async send() {
      destination ??= createDestination()
      const { partnerId, webhookId } = await destination
      const created_at = new Date(Date.now() - OLD_MS).toISOString()
      const event = paymentEvent(partnerId, { created_at })
      await harness.publish(event)
      return { eventId: event.id, webhookId }
    },
    async takeOver() {
      const manager = await harness.bus.jetstreamManager()
      await manager.consumers.delete('EVENTS', 'webhooks-fanout')
      await makeStreams(harness.bus)
      await harness.startReplica()
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
