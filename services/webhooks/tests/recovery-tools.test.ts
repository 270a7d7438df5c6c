import { newId } from '@causeway/chassis'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import { merchantEvent, startMerchantStage, type MerchantStage } from './merchant-stage.ts'
import { startReceiver } from './receiver.ts'

let stage: MerchantStage
beforeAll(async () => {
  stage = await startMerchantStage()
})
afterAll(() => stage.stop())

const HOUR_MS = 3_600_000

/** A merchant with five deliveries, an hour apart; the second and the fourth are dead. */
const withHistory = async () => {
  const merchant = stage.newMerchant()
  const receiver = await startReceiver((response, _hit, count) =>
    response.writeHead(count % 2 === 0 ? 400 : 200).end(),
  )
  const { id } = await merchant.registered({ url: receiver.url })
  const times: string[] = []
  const orders: string[] = []
  for (let count = 0; count < 5; count += 1) {
    stage.harness.clock.advance(HOUR_MS)
    times.push(stage.harness.clock.now().toISOString())
    const event = merchantEvent(merchant.merchantId, null)
    orders.push(event.id)
    await stage.harness.publish(event)
    await merchant.deliveryWhen(
      id,
      (delivery) => delivery.eventId === event.id && delivery.status !== 'waiting',
    )
  }
  const listed = async (query: Record<string, string>) => {
    const answer = await merchant.deliveries(id, query)
    if (!answer.ok) throw new Error(JSON.stringify(answer))
    return answer.value.deliveries.map((delivery) => orders.indexOf(delivery.eventId))
  }
  const hits = () => receiver.hits.length
  return { merchant, receiver, id, times, listed, hits }
}

test('the log is filtered by state and by time, newest first', async () => {
  const { receiver, times, listed } = await withHistory()
  const [, second = '', , fourth = ''] = times
  expect(await listed({})).toEqual([4, 3, 2, 1, 0])
  expect(await listed({ status: 'dead' })).toEqual([3, 1])
  expect(await listed({ status: 'waiting' })).toEqual([])
  expect(await listed({ since: second, until: fourth })).toEqual([2, 1])
  expect(await listed({ since: fourth, status: 'delivered', limit: '1' })).toEqual([4])
  await receiver.close()
})

test('everything since a time is sent again, what was delivered included, or what is dead alone', async () => {
  const { merchant, receiver, id, times, listed, hits } = await withHistory()
  receiver.answerWith((response) => response.end())
  const [, second = '', , fourth = ''] = times
  const done = { nextCursor: null }
  expect(await merchant.redeliverSince(id, { since: second, status: 'dead' })).toEqual({
    ok: true,
    value: { redelivered: 2, ...done },
  })
  await eventually(async () => (await listed({ status: 'delivered' })).length === 5)
  expect(hits()).toBe(7)
  expect(await merchant.redeliverSince(id, { since: second, until: fourth })).toEqual({
    ok: true,
    value: { redelivered: 2, ...done },
  })
  await eventually(() => hits() === 9)
  await eventually(async () => (await listed({ status: 'delivered' })).length === 5)
  const bodies = receiver.hits.map((hit) => hit.body)
  expect([...bodies.slice(7)].sort()).toEqual([bodies[1], bodies[2]].sort())
  await receiver.close()
})

test('a bulk redelivery goes on from its cursor, and takes nobody else’s', async () => {
  const { merchant, receiver, id, times } = await withHistory()
  const [since = ''] = times
  for (const cursor of ['made-up', ''])
    expect(await merchant.redeliverSince(id, { since, cursor })).toEqual({
      ok: false,
      code: 'invalid_cursor',
    })
  const refused = { ok: false, code: 'resource_not_found' }
  expect(await stage.newMerchant().redeliverSince(id, { since })).toEqual(refused)
  expect(await merchant.redeliverSince(newId('webhook'), { since })).toEqual(refused)
  await receiver.close()
})

test('more than a thousand are sent again in pages, each once', async () => {
  const { merchant, receiver, id, times } = await withHistory()
  receiver.answerWith((response) => response.end())
  await stage.harness.sql(
    `INSERT INTO deliveries SELECT destination_id, id || lpad(n::text, 4, '0'), owner_id, event_id || n, 'dead', lane,
       retries_used, due_at, NULL, NULL, created_at
     FROM deliveries, generate_series(1, 1200) AS n
     WHERE destination_id = $1 AND id = (SELECT min(id) FROM deliveries WHERE destination_id = $1)`,
    [id],
  )
  const [since = ''] = times
  const first = await merchant.redeliverSince(id, { since })
  expect(first).toMatchObject({ ok: true, value: { redelivered: 1_000, nextCursor: expect.any(String) } })
  const cursor = first.ok ? first.value.nextCursor : null
  expect(await merchant.redeliverSince(id, { since, cursor })).toEqual({
    ok: true,
    value: { redelivered: 205, nextCursor: null },
  })
  await receiver.close()
})

test('times that are none are refused by their field', async () => {
  const merchant = stage.newMerchant()
  const { id } = await merchant.registered({ url: 'https://shop.example/' })
  const refusal = {
    ok: false,
    code: 'invalid_request',
    details: [{ field: 'since', reason: 'invalid_date' }],
  }
  expect(await merchant.deliveries(id, { since: 'yesterday' })).toEqual(refusal)
  expect(await merchant.redeliverSince(id, { since: 'yesterday' })).toEqual(refusal)
})
