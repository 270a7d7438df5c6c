import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import type { Delivery } from '@causeway/contracts'
import { dial } from '../../src/connect-guard/dial.ts'
import type { DialTarget } from '../../src/connect-guard/dial.ts'
import { createResolver } from '../../src/connect-guard/resolver.ts'
import type { Outside } from '../../src/service.ts'
import { paymentEvent, startHarness, type Harness } from '../harness.ts'
import { startReceiver, type Receiver } from '../receiver.ts'
import type { Behaviour } from './behaviour.ts'
import { listenPlain, type Loopback } from './loopback.ts'

/** A hostile receiver and its neighbour: two destinations of one partner, so that every event goes to both. */
export type Case = Readonly<{
  behaviour: Behaviour
  partnerId: string
  hostileId: string
  neighbourId: string
  server: Loopback
  /** The first of its events, published already. */
  firstEventId: string
}>

export type Fixture = Readonly<{
  harness: Harness
  cases: readonly Case[]
  neighbour: Receiver
  /** Every address that was dialled, as `address:port`. */
  dialled: ReadonlySet<string>
  /** Publishes another event for a case. @returns its id */
  publish: (of: Case) => Promise<string>
  /** Waits until a destination's delivery of this event has been attempted. */
  attempted: (of: Case, webhookId: string, eventId: string) => Promise<Delivery>
  stop: () => Promise<void>
}>

type StageOptions = Readonly<{
  timeoutMs: number
  outside?: Partial<Outside>
  listen?: (behaviour: Behaviour) => Promise<Loopback>
  urlOf?: (behaviour: Behaviour, port: number) => string
}>

const SCHEDULE_MS = [60_000, 60_000]

/** Dials, and records what it dialled. */
const recordDialled = (dialOn: Outside['dial']): { dial: Outside['dial']; dialled: Set<string> } => {
  const dialled = new Set<string>()
  return {
    dialled,
    dial: (target: DialTarget, signal) => {
      dialled.add(`${target.address}:${target.port}`)
      return dialOn(target, signal)
    },
  }
}

/** The service with a receiver for each behaviour, all of which receive their first event concurrently. */
export const startFixture = async (
  behaviours: readonly Behaviour[],
  options: StageOptions,
): Promise<Fixture> => {
  const policy = { retryDelaysMs: SCHEDULE_MS, timeoutMs: options.timeoutMs }
  const recorder = recordDialled(options.outside?.dial ?? dial)
  const harness = await startHarness(
    { resolve: options.outside?.resolve ?? createResolver(), dial: recorder.dial },
    { policies: { partner: policy, merchant: policy } },
  )
  const neighbour = await startReceiver()
  const listen = options.listen ?? listenPlain
  const urlOf = options.urlOf ?? ((_behaviour: Behaviour, port: number) => `http://127.0.0.1:${port}/hook`)
  const prepare = async (behaviour: Behaviour) => {
    const server = await listen(behaviour)
    const partnerId = newId('partner')
    const hostile = await harness.createWebhook(partnerId, urlOf(behaviour, server.port))
    const healthy = await harness.createWebhook(partnerId, neighbour.url)
    const [hostileId, neighbourId] = [hostile.webhook.webhook_id, healthy.webhook.webhook_id]
    return { behaviour, partnerId, hostileId, neighbourId, server }
  }
  const publish: Fixture['publish'] = async ({ partnerId }) => {
    const event = paymentEvent(partnerId)
    await harness.publishEvent(event)
    return event.id
  }
  const prepared: Omit<Case, 'firstEventId'>[] = []
  const stop = async () => {
    await Promise.all([...prepared.map(({ server }) => server.close()), neighbour.close()])
    await harness.stop()
  }
  const begin = async (): Promise<Case[]> => {
    for (const behaviour of behaviours) prepared.push(await prepare(behaviour))
    return Promise.all(
      prepared.map(async (one) => ({ ...one, firstEventId: await publish({ ...one, firstEventId: '' }) })),
    )
  }
  // A service that is not stopped would answer requests of the next test file.
  const cases = await begin().catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return {
    harness,
    cases,
    neighbour,
    dialled: recorder.dialled,
    publish,
    attempted: ({ partnerId }, webhookId, eventId) =>
      eventually(async () => {
        const deliveries = await harness.deliveriesOf(partnerId, webhookId)
        return deliveries.find((one) => one.event_id === eventId && one.attempts.length > 0)
      }),
    stop,
  }
}
