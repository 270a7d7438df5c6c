import { call, newId } from '@causeway/chassis'
import { eventually, makeStreams, TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { deliveries, type DomainEvent } from '@causeway/contracts'
import pg from 'pg'
import { ATTEMPTS } from '../attempt-rows.ts'
import { paymentEvent, startHarness, type Harness } from '../harness.ts'
import { startReceiver, type Hit, type Receiver } from '../receiver.ts'

let harness: Harness
let partnerId: string
const receivers: Receiver[] = []
beforeEach(async () => {
  harness = await startHarness()
  partnerId = newId('partner')
})
afterEach(async () => {
  await harness.stop()
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
})

const receive = async (...parameters: Parameters<typeof startReceiver>): Promise<Receiver> => {
  const receiver = await startReceiver(...parameters)
  receivers.push(receiver)
  return receiver
}
const eventIdOf = (hit: Hit | undefined) => (JSON.parse(hit?.body ?? '{}') as { event_id: string }).event_id
const deliveredIds = (receiver: Receiver) => receiver.hits.map(eventIdOf)

/** A lost or late acknowledgement: the stream redelivers its events. */
const giveAllAgain = async () => {
  const manager = await harness.bus.jetstreamManager()
  await manager.consumers.delete('EVENTS', 'webhooks-fanout')
  await makeStreams(harness.bus)
}

test('does not send recorded events again when the stream redelivers them', async () => {
  const receiver = await receive()
  await harness.createWebhook(partnerId, receiver.url)
  const created_at = new Date(Date.now() - 60_000).toISOString()
  const events = Array.from({ length: 20 }, () => paymentEvent(partnerId, { created_at }))
  for (const event of events) await harness.publishEvent(event)
  await eventually(() => receiver.hits.length === 20)
  await harness.stopReplicas()
  await giveAllAgain()
  await harness.startReplica()
  const marker = paymentEvent(partnerId)
  await harness.publishEvent(marker)
  await eventually(() => deliveredIds(receiver).includes(marker.id))
  expect(deliveredIds(receiver).sort()).toEqual([...events.map((event) => event.id), marker.id].sort())
})

test('sends an event once that the stream holds twice, even while its first copy is in flight', async () => {
  let release = () => {}
  const receiver = await receive((response, _hit, count) => {
    if (count > 1) response.end()
    else release = () => response.end()
  })
  const bystander = await receive()
  const others = newId('partner')
  await harness.createWebhook(partnerId, receiver.url)
  await harness.createWebhook(others, bystander.url)
  const event = paymentEvent(partnerId)
  const publishCopy = () =>
    harness.bus.publishEvent('events.payments.payment.confirmed', JSON.stringify(event), newId('event'), null)
  const pass = async () => {
    const marker = paymentEvent(others)
    await harness.publishEvent(marker)
    await eventually(() => deliveredIds(bystander).includes(marker.id))
  }
  await publishCopy()
  await eventually(() => receiver.hits.length === 1)
  await Promise.all([publishCopy(), publishCopy()])
  await pass()
  release()
  await eventually(async () => {
    const { num_ack_pending: underWay } = await (
      await harness.bus.jetstreamManager()
    ).consumers.info('EVENTS', 'webhooks-fanout')
    return underWay === 0
  })
  await pass()
  expect(deliveredIds(receiver)).toEqual([event.id])
})

test('records an attempt whose lease was lost without changing its delivery', async () => {
  let release = () => {}
  const receiver = await receive((response, _hit, count) => {
    if (count > 1) response.end()
    else release = () => response.writeHead(400).end()
  })
  const { webhook } = await harness.createWebhook(partnerId, receiver.url)
  await harness.publishEvent(paymentEvent(partnerId))
  const leased = await harness.deliveryWhen(partnerId, webhook.webhook_id, () => true)
  const params = { partnerId, webhookId: webhook.webhook_id, deliveryId: leased.delivery_id }
  const caller = { kind: 'operator', actor: 'test' } as const
  const ask = { caller, requestId: newId('request'), timeoutMs: TEST_DEADLINE_MS, safe: false, params }
  await call(harness.bus, harness.clock, deliveries.redeliver, ask)
  await harness.deliveryWhen(partnerId, webhook.webhook_id, (d) => d.status === 'delivered')
  release()
  const settled = await harness.deliveryWhen(partnerId, webhook.webhook_id, (d) => d.attempts.length === 2)
  expect(settled.status).toBe('delivered')
  expect(settled.attempts.map((attempt) => attempt.status_code)).toEqual([400, 200])
})

test('sends each event and retry once when two replicas share them', async () => {
  await harness.startReplica()
  const seen = new Map<string, number>()
  const receiver = await receive((response, hit) => {
    const tries = (seen.get(eventIdOf(hit)) ?? 0) + 1
    seen.set(eventIdOf(hit), tries)
    response.writeHead(tries === 1 ? 503 : 200).end()
  })
  await harness.createWebhook(partnerId, receiver.url)
  const events = Array.from({ length: 300 }, () => paymentEvent(partnerId))
  await Promise.all(events.map((event) => harness.publishEvent(event)))
  const countIn = async (text: string) => (await harness.sql<{ n: number }>(text))[0]?.n
  await eventually(
    async () =>
      (await countIn(`SELECT count(*)::integer AS n FROM deliveries WHERE retries_used = 1`)) === 300,
  )
  harness.clock.advance(60_000)
  await eventually(
    async () =>
      (await countIn(`SELECT count(*)::integer AS n FROM deliveries WHERE state = 'delivered'`)) === 300,
  )
  expect([...seen.values()].every((tries) => tries === 2)).toBe(true)
  expect(await countIn(`SELECT count(*)::integer AS n FROM ${ATTEMPTS} a`)).toBe(600)
})

test('waits for attempts in flight at a stop and records them', async () => {
  const receiver = await receive((response) => setTimeout(() => response.end('done'), 700))
  await harness.createWebhook(partnerId, receiver.url)
  const events = Array.from({ length: 8 }, () => paymentEvent(partnerId))
  await Promise.all(events.map((event) => harness.publishEvent(event)))
  await eventually(() => receiver.hits.length === 8)
  await harness.stopReplicas()
  const rows = await harness.sql('SELECT DISTINCT state, lease_id FROM deliveries')
  expect(rows).toEqual([{ state: 'delivered', lease_id: null }])
  expect(receiver.hits.length).toBe(8)
})

test('releases the claimed but unstarted deliveries immediately at a stop', async () => {
  const receiver = await receive((response) => setTimeout(() => response.end(), 500))
  await harness.createWebhook(partnerId, receiver.url)
  const events = Array.from({ length: 60 }, () => paymentEvent(partnerId))
  await Promise.all(events.map((event) => harness.publishEvent(event)))
  await eventually(() => receiver.hits.length >= 16)
  await harness.stopReplicas()
  const held = await harness.sql('SELECT 1 FROM deliveries WHERE lease_id IS NOT NULL')
  expect(held).toEqual([])
  await harness.startReplica()
  await eventually(() => new Set(deliveredIds(receiver)).size === 60)
  expect(receiver.hits.length).toBe(60)
})

test('loses nothing and sends nothing twice while the database cannot write', async () => {
  const receiver = await receive()
  await harness.createWebhook(partnerId, receiver.url)
  await harness.stopReplicas()
  await harness.startReplica({ timeoutFactor: 1 })
  const blocker = new pg.Client({ connectionString: harness.config.databaseUrl })
  await blocker.connect()
  await blocker.query('BEGIN')
  await blocker.query('LOCK TABLE deliveries IN ACCESS EXCLUSIVE MODE')
  const events = Array.from({ length: 10 }, () => paymentEvent(partnerId))
  for (const event of events) await harness.publishEvent(event)
  await eventually(() => receiver.hits.length === 10)
  // A statement waits 3 s for a lock: the writer has to try again.
  const begun = new Set<string>()
  await eventually(async () => {
    const waiting = await harness.sql<{ begun: string }>(
      `SELECT query_start::text AS begun FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%deliveries%'`,
    )
    for (const one of waiting) begun.add(one.begun)
    return begun.size >= 2
  })
  await blocker.query('COMMIT')
  await blocker.end()
  await eventually(
    async () => (await harness.sql("SELECT 1 FROM deliveries WHERE state = 'delivered'")).length === 10,
  )
  expect(deliveredIds(receiver).sort()).toEqual(events.map((event) => event.id).sort())
})

test('delivers a backlog on one destination without delaying others', async () => {
  const held: (() => void)[] = []
  const busy = await receive((response) => void held.push(() => response.end()))
  await harness.createWebhook(partnerId, busy.url)
  const events = Array.from({ length: 1_500 }, () => paymentEvent(partnerId))
  await Promise.all(events.map((event) => harness.publishEvent(event)))
  await eventually(() => busy.hits.length > 0)
  const [other, healthy] = [newId('partner'), await receive()]
  await harness.createWebhook(other, healthy.url)
  await harness.publishEvent(paymentEvent(other))
  await eventually(() => healthy.hits.length === 1)
  expect(busy.hits.length).toBeLessThan(1_500)
  busy.answerWith((response) => setTimeout(() => response.end(), 20))
  for (const answer of held) answer()
  await eventually(() => new Set(deliveredIds(busy)).size === 1_500)
  expect(busy.hits.length).toBe(1_500)
  expect(busy.mostConnections()).toBeLessThanOrEqual(8)
})

test('does not deliver an event on any subject if its service does not own its type', async () => {
  const receiver = await receive()
  const { webhook } = await harness.createWebhook(partnerId, receiver.url)
  const { partners } = paymentEvent(partnerId)
  const forged: [subject: string, event: DomainEvent][] = [
    ['events.onramp.payment.confirmed', paymentEvent(partnerId)],
    ['events.payments.payment.refunded', paymentEvent(partnerId)],
    ['events.onramp.ramping.kyc_pending', paymentEvent(partnerId, { name: 'ramping.kyc_pending', partners })],
    ['events.refunds.refund.completed', paymentEvent(partnerId, { name: 'refund.completed', partners })],
  ]
  for (const [subject, event] of forged)
    await harness.bus.publishEvent(subject, JSON.stringify(event), event.id, null)
  const genuine = paymentEvent(partnerId)
  await harness.publishEvent(genuine)
  await harness.deliveryWhen(partnerId, webhook.webhook_id, (d) => d.status === 'delivered')
  expect(deliveredIds(receiver)).toEqual([genuine.id])
  const known = await harness.sql('SELECT event_id FROM events WHERE event_id = ANY($1)', [
    [...forged.map(([, event]) => event.id), genuine.id],
  ])
  expect(known).toEqual([{ event_id: genuine.id }])
})
