import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { DomainEvent } from '@causeway/contracts'
import { ATTEMPTS } from '../attempt-rows.ts'
import { paymentEvent, startHarness, type Harness } from '../harness.ts'
import { startReceiver, type Receiver } from '../receiver.ts'
import { startOwnServers, type OwnServers } from './servers.ts'

const EVENTS = 600
/** Maximum deliveries in flight of a replica: the fast path's window and the slow path's slots. */
const IN_FLIGHT = 256 + 512
const POLICY = { retryDelaysMs: Array.from({ length: 20 }, () => 200), timeoutMs: 10_000 }

let servers: OwnServers
let harness: Harness
let receiver: Receiver
beforeAll(async () => {
  servers = await startOwnServers()
  process.env['CAUSEWAY_TEST_POSTGRES_URL'] = servers.postgresUrl
  process.env['CAUSEWAY_TEST_NATS_URL'] = servers.natsUrl
  harness = await startHarness(undefined, { policies: { partner: POLICY, merchant: POLICY } })
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.close()
  await harness.stop()
  await servers.stop()
})

/** As the relay of an outbox does: again until the stream has it. */
const publishPatiently = (event: DomainEvent) =>
  eventually(() => harness.publishEvent(event).then(() => true))

const eventIdOf = (body: string) => (JSON.parse(body) as { event_id: string }).event_id

/** Publishes a stream of events, half of which are refused once, and crashes something in the middle of it. */
const deliverThrough = async (crash: () => Promise<void>) => {
  receiver.hits.length = 0
  const refused = new Set<string>()
  const partnerId = newId('partner')
  const events = Array.from({ length: EVENTS }, () => paymentEvent(partnerId))
  const toRefuse = new Set(events.filter((_event, index) => index % 2 === 0).map((event) => event.id))
  receiver.answerWith((response, hit) => {
    const eventId = eventIdOf(hit.body)
    const refuses = toRefuse.has(eventId) && !refused.has(eventId)
    refused.add(eventId)
    response.writeHead(refuses ? 503 : 200).end()
  })
  const { webhook } = await harness.createWebhook(partnerId, receiver.url)
  let crashed: Promise<void> | null = null
  const publishing = events.map(async (event, index) => {
    await eventually(() => receiver.hits.length >= index - 200)
    await publishPatiently(event)
  })
  await eventually(() => receiver.hits.length >= EVENTS / 3)
  crashed = crash()
  await Promise.all([...publishing, crashed])
  const rows = await eventually(async () => {
    const found = await harness.sql<{ event_id: string; state: string; attempts: number }>(
      `SELECT d.event_id, d.state, count(a.at)::integer AS attempts
         FROM deliveries d LEFT JOIN ${ATTEMPTS} a ON a.delivery_id = d.id
         WHERE d.destination_id = $1 GROUP BY d.event_id, d.state`,
      [webhook.webhook_id],
    )
    return found.filter((one) => one.state === 'delivered').length === EVENTS && found
  })
  return { events, rows }
}

const check = ({ events, rows }: Awaited<ReturnType<typeof deliverThrough>>) => {
  const ids = events.map((event) => event.id).sort()
  expect(rows.map((one) => one.event_id).sort()).toEqual(ids)
  expect([...new Set(receiver.hits.map((hit) => eventIdOf(hit.body)))].sort()).toEqual(ids)
  expect(rows.filter((one) => one.attempts === 0)).toEqual([])
  const recorded = rows.reduce((total, one) => total + one.attempts, 0)
  expect(receiver.hits.length - recorded).toBeLessThanOrEqual(IN_FLIGHT)
}

test('delivers and records every event when PostgreSQL crashes and returns during deliveries', async () => {
  check(await deliverThrough(servers.crashPostgres))
})

test('delivers and records every event when NATS crashes and returns during deliveries', async () => {
  check(await deliverThrough(servers.crashNats))
})
