import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { merchantEvent, startMerchantFixture, type MerchantFixture } from '../merchant-fixture.ts'
import { startReceiver as openReceiver, type Receiver } from '../receiver.ts'

let fixture: MerchantFixture
beforeAll(async () => {
  fixture = await startMerchantFixture()
})
afterAll(() => fixture.stop())

const receivers: Receiver[] = []
const startReceiver = async (): Promise<Receiver> => {
  const receiver = await openReceiver()
  receivers.push(receiver)
  return receiver
}
afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())))

const SINCE = new Date(0).toISOString()

/** A webhook with events of the last minutes in one state, written into the tables. */
const withEvents = async (count: number, state: 'dead' | 'delivered' | 'missed') => {
  const merchant = fixture.newMerchant()
  const receiver = await startReceiver()
  const { id } = await merchant.registered({ url: receiver.url })
  const add = async (made: number, as: typeof state) => {
    const events = Array.from({ length: made }, () => newId('event'))
    await fixture.harness.sql(
      `INSERT INTO events (owner_id, event_id, type, body, created_at)
       SELECT $1, event_id, 'paid', '{"event":"paid","n":"' || event_id || '"}', $3::timestamptz - interval '1 minute'
       FROM unnest($2::text[]) AS event_id`,
      [merchant.merchantId, events, fixture.harness.clock.now()],
    )
    if (as === 'missed') return
    await fixture.harness.sql(
      `INSERT INTO deliveries (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used, due_at,
         created_at)
       SELECT $1, delivery_id, $2, event_id, 'paid', $5, 1, 0, $6, $6
       FROM unnest($3::text[], $4::text[]) AS given (event_id, delivery_id)`,
      [id, merchant.merchantId, events, events.map(() => newId('delivery')), as, fixture.harness.clock.now()],
    )
  }
  await add(count, state)
  const start = async (body: Partial<Parameters<typeof merchant.startRedelivery>[1]> = {}) => {
    const started = await merchant.startRedelivery(id, { since: SINCE, ...body })
    if (!started.ok) throw new Error(JSON.stringify(started))
    return started.value.redelivery
  }
  const read = async (redeliveryId: string) => {
    const found = await merchant.redelivery(id, redeliveryId)
    if (!found.ok) throw new Error(found.code)
    return found.value.redelivery
  }
  const countOf = async (state: string) => {
    const [row] = await fixture.harness.sql<{ n: number }>(
      'SELECT count(*)::integer AS n FROM deliveries WHERE destination_id = $1 AND state = $2',
      [id, state],
    )
    return row?.n
  }
  return { merchant, receiver, id, add, start, read, countOf }
}

test('sends dead letters again, each once, but no delivered or missed events', async () => {
  const { receiver, add, start, read, countOf } = await withEvents(700, 'dead')
  await add(30, 'delivered')
  await add(30, 'missed')
  const { redelivery_id: redeliveryId } = await start({ status: 'dead', per_second: 500 })
  const done = await eventually(async () => {
    const now = await read(redeliveryId)
    return now.status === 'done' && now
  })
  expect(done).toMatchObject({ sent: 700, event_status: 'dead', finished_at: expect.any(String) })
  expect(done.reached).toBe(done.until)
  await eventually(async () => (await countOf('delivered')) === 730)
  expect(new Set(receiver.hits.map((hit) => hit.body)).size).toBe(700)
  expect(receiver.hits.length).toBe(700)
})

test('sends every event since the time when no state is given: delivered, dead and missed ones', async () => {
  const { receiver, add, start, read, countOf } = await withEvents(3, 'dead')
  await add(3, 'delivered')
  await add(3, 'missed')
  const { redelivery_id: redeliveryId } = await start()
  await eventually(async () => (await read(redeliveryId)).status === 'done')
  await eventually(async () => (await countOf('delivered')) === 9)
  expect(receiver.hits.length).toBe(9)
})

test('keeps the pace of a redelivery, and sends new events before it', async () => {
  const { merchant, receiver, start, read, id } = await withEvents(5_000, 'dead')
  const { redelivery_id: redeliveryId } = await start({ per_second: 5 })
  await eventually(async () => (await read(redeliveryId)).sent > 0)
  const event = merchantEvent(merchant.merchantId, null)
  await fixture.harness.publishEvent(event)
  await eventually(() => receiver.hits.some((hit) => hit.headers['x-webhook-event-id'] === event.id))
  const now = await read(redeliveryId)
  expect([now.status, now.sent < 1_000]).toEqual(['running', true])
  const cancelled = await merchant.cancelRedelivery(id, redeliveryId)
  expect(cancelled).toMatchObject({ ok: true, value: { redelivery: { status: 'cancelled' } } })
})

test('runs one redelivery of a webhook at a time; the next can start when it has ended', async () => {
  const { merchant, id, start } = await withEvents(1_000, 'dead')
  const { redelivery_id: redeliveryId } = await start({ per_second: 1 })
  expect(await merchant.startRedelivery(id, { since: SINCE })).toEqual({
    ok: false,
    code: 'invalid_state',
    details: [{ reason: 'already_running' }],
  })
  await merchant.cancelRedelivery(id, redeliveryId)
  const second = await start({ status: 'missed' })
  const listed = await merchant.redeliveries(id)
  expect(listed.ok && listed.value.redeliveries.map((one) => one.redelivery_id)).toEqual([
    second.redelivery_id,
    redeliveryId,
  ])
})

test('continues a redelivery on a replica that starts later, and sends nothing twice', async () => {
  const { receiver, start, read, countOf } = await withEvents(300, 'dead')
  const { redelivery_id: redeliveryId } = await start({ per_second: 1 })
  await eventually(async () => (await read(redeliveryId)).sent > 0)
  await fixture.harness.stopReplicas()
  const rows = await fixture.harness.sql<{ sent: number; status: string }>(
    'UPDATE redeliveries SET per_second = 100 WHERE id = $1 RETURNING sent, status',
    [redeliveryId],
  )
  expect(rows).toEqual([{ sent: expect.any(Number), status: 'running' }])
  await Promise.all([fixture.harness.startReplica(), fixture.harness.startReplica()])
  await eventually(async () => (await read(redeliveryId)).status === 'done')
  await eventually(async () => (await countOf('delivered')) === 300)
  expect((await read(redeliveryId)).sent).toBe(300)
  expect(receiver.hits.length).toBe(300)
})

test('limits a receiver that is down to a thousand due deliveries of a redelivery', async () => {
  const { receiver, start, read } = await withEvents(1_600, 'dead')
  await receiver.close()
  const { redelivery_id: redeliveryId } = await start({ per_second: 500 })
  await eventually(async () => (await read(redeliveryId)).sent >= 1_000)
  for (let turn = 0; turn < 5; turn += 1) {
    fixture.harness.clock.advance(1_000)
    const now = fixture.harness.clock.now()
    await eventually(async () => {
      const turned = `SELECT FROM redeliveries WHERE id = $1 AND (next_at > $2 OR status = 'done')`
      const rows = await fixture.harness.sql(turned, [redeliveryId, now])
      return rows.length === 1
    })
    // Deliveries attempted meanwhile wait for their retry, so that others become due.
    const due = `SELECT count(*)::integer AS due FROM deliveries WHERE state = 'waiting' AND due_at <= $1`
    const [waiting] = await fixture.harness.sql<{ due: number }>(due, [now])
    expect(waiting?.due).toBeLessThanOrEqual(1_000)
  }
})

test('counts deliveries in flight as ahead of the receiver', async () => {
  const { id, start, read } = await withEvents(1_600, 'dead')
  const leased = `UPDATE deliveries SET state = 'waiting', lease_id = gen_random_uuid(), due_at = $2
    WHERE id IN (SELECT id FROM deliveries WHERE destination_id = $1 LIMIT 990)`
  await fixture.harness.sql(leased, [id, new Date(fixture.harness.clock.now().getTime() + 10_000)])
  const { redelivery_id: redeliveryId } = await start({ per_second: 500 })
  expect(await eventually(async () => (await read(redeliveryId)).sent || undefined)).toBe(10)
})

test('ends the redelivery of a deleted webhook', async () => {
  const { merchant, id, start } = await withEvents(500, 'dead')
  const { redelivery_id: redeliveryId } = await start({ per_second: 1 })
  await merchant.remove(id)
  await eventually(async () => {
    const [row] = await fixture.harness.sql<{ status: string }>(
      'SELECT status FROM redeliveries WHERE id = $1',
      [redeliveryId],
    )
    return row?.status === 'cancelled'
  })
})
