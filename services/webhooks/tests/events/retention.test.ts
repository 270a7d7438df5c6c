import { eventually } from '@causeway/chassis/testing'
import { newId } from '@causeway/chassis'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { paymentEvent, startHarness, type Harness } from '../harness.ts'
import { startReceiver, type Receiver } from '../receiver.ts'

let harness: Harness
let receiver: Receiver
beforeAll(async () => {
  harness = await startHarness()
})
afterEach(() => receiver.close())
afterAll(() => harness.stop())

const HOUR_MS = 3_600_000

/** An event of now: tests have moved the clock. */
const paymentOf = (partnerId: string) =>
  paymentEvent(partnerId, { created_at: harness.clock.now().toISOString() })

const countsOf = async (partnerId: string) => {
  const [row] = await harness.sql<{ events: number; deliveries: number }>(
    `SELECT (SELECT count(*)::integer FROM events WHERE owner_id = $1) AS events,
       (SELECT count(*)::integer FROM deliveries WHERE owner_id = $1) AS deliveries`,
    [partnerId],
  )
  return row
}

test('does not keep an event past its retention because it waits for a disabled partner', async () => {
  const [disabled, active] = [newId('partner'), newId('partner')]
  receiver = await startReceiver((response) => response.writeHead(503).end())
  for (const partnerId of [disabled, active]) {
    await harness.createWebhook(partnerId, receiver.url)
    await harness.publishEvent(paymentEvent(partnerId))
    await eventually(async () => (await countsOf(partnerId))?.deliveries === 1)
    await harness.sql(`UPDATE deliveries SET due_at = 'infinity' WHERE owner_id = $1`, [partnerId])
  }
  await harness.setDisabledPartners(1, [disabled])
  harness.clock.advance(722 * HOUR_MS)
  await harness.startReplica()
  await eventually(async () => (await countsOf(disabled))?.events === 0)
  expect(await countsOf(disabled)).toEqual({ events: 0, deliveries: 0 })
  expect(await countsOf(active)).toEqual({ events: 1, deliveries: 1 })
})

test('purges events with their deliveries an hour after their retention, except those that wait for an active destination', async () => {
  const [done, waiting, untaken] = [newId('partner'), newId('partner'), newId('partner')]
  receiver = await startReceiver()
  const { webhook } = await harness.createWebhook(done, receiver.url)
  for (const partnerId of [done, untaken]) await harness.publishEvent(paymentOf(partnerId))
  await harness.deliveryWhen(done, webhook.webhook_id, (delivery) => delivery.status === 'delivered')
  const { webhook: failing } = await harness.createWebhook(waiting, receiver.url)
  receiver.answerWith((response) => response.writeHead(503).end())
  await harness.publishEvent(paymentOf(waiting))
  await eventually(async () => (await countsOf(waiting))?.deliveries === 1)
  await harness.sql(`UPDATE deliveries SET due_at = 'infinity' WHERE owner_id = $1`, [waiting])
  await eventually(async () => (await countsOf(untaken))?.events === 1)

  await harness.sql(
    `INSERT INTO redeliveries (id, owner_id, destination_id, status, since, until, per_second, sent, reached_at,
       reached_id, next_at, created_at, finished_at)
     VALUES ('rdl_old', $1, $2, 'done', $3, $3, 1, 0, $3, '', $3, $3, $3)`,
    [done, webhook.webhook_id, harness.clock.now()],
  )

  harness.clock.advance(720 * HOUR_MS)
  await harness.publishEvent(paymentOf(done))
  await eventually(async () => (await countsOf(done))?.events === 2)
  // A replica purges when it starts, and then every minute.
  await harness.startReplica()
  harness.clock.advance(HOUR_MS)
  await harness.startReplica()
  await eventually(async () => (await countsOf(done))?.events === 1)
  await eventually(async () => (await countsOf(untaken))?.events === 0)
  expect(await countsOf(done)).toEqual({ events: 1, deliveries: 1 })
  expect(await countsOf(waiting)).toEqual({ events: 1, deliveries: 1 })
  expect(await harness.sql('SELECT FROM redeliveries')).toEqual([])

  await harness.sql('UPDATE destinations SET disabled_at = $1 WHERE id = $2', [
    harness.clock.now(),
    failing.webhook_id,
  ])
  await harness.startReplica()
  await eventually(async () => (await countsOf(waiting))?.events === 0)
  expect(await countsOf(waiting)).toEqual({ events: 0, deliveries: 0 })
})
