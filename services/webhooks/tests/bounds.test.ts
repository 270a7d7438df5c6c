import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { call, newId, PAGE_MAX_BYTES, type Outcome } from '@causeway/chassis'
import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { destinations, subscriptions } from '@causeway/contracts'
import { startMerchantFixture, type MerchantFixture } from './merchant-fixture.ts'

let fixture: MerchantFixture
beforeAll(async () => {
  fixture = await startMerchantFixture()
})
afterAll(() => fixture.stop())

const KIB = 1_024
const LONGEST_URL = `http://127.0.0.1:9/${'é'.repeat(2_000)}/service/webhook`
/** Bytes of a page in addition to its items: `next_cursor` and the names. */
const AROUND = 1 * KIB

type Query = Record<string, string>
type Pages<I> = Readonly<{ items: I[]; pages: number; cursor: string }>

/** Reads a list to its end; each page must fit. */
const readAll = async <V extends { next_cursor: string | null }, I>(
  read: (query: Query) => Promise<Outcome<V>>,
  itemsOf: (value: V) => readonly I[],
): Promise<Pages<I>> => {
  const items: I[] = []
  let cursor = ''
  for (let pages = 1; ; pages += 1) {
    const answer = await read(cursor === '' ? {} : { cursor })
    if (!answer.ok) throw new Error(JSON.stringify(answer))
    expect(Buffer.byteLength(JSON.stringify(answer.value))).toBeLessThanOrEqual(PAGE_MAX_BYTES + AROUND)
    items.push(...itemsOf(answer.value))
    if (answer.value.next_cursor === null) return { items, pages, cursor }
    cursor = answer.value.next_cursor
  }
}
const invalidCursor = { ok: false, code: 'invalid_cursor' }

/** Deliveries of one destination whose receiver answered each attempt with this body. Ids are in the order of time. */
const fill = async (ownerId: string, webhookId: string, count: number, attempts: number, body: string) => {
  await fixture.harness.sql(
    `WITH given AS (SELECT 'evt_' || substr($2, 5, 20) || lpad(n::text, 6, '0') AS event_id,
         'dlv_' || substr($2, 5, 20) || lpad(n::text, 6, '0') AS id FROM generate_series(1, $3::int) AS n),
       logged AS (INSERT INTO events (owner_id, event_id, type, body, created_at)
         SELECT $1, event_id, 'paid', '{}', date_trunc('milliseconds', now()) FROM given),
       sent AS (INSERT INTO deliveries (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used,
           due_at, created_at)
         SELECT $2, id, $1, event_id, 'paid', 'delivered', 1, 0, now(), now() FROM given)
     SELECT count(*) FROM given`,
    [ownerId, webhookId, count],
  )
  await fixture.harness.sql(
    `INSERT INTO attempts (delivery_id, at, status_code, latency_ms, error, response_body)
     SELECT d.id, d.created_at + a * interval '1 millisecond', 500, 60000, null, $3
     FROM deliveries d, generate_series(1, $2::int) AS a WHERE d.destination_id = $1`,
    [webhookId, attempts, body],
  )
}
const clear = (webhookId: string) =>
  fixture.harness.sql(
    'DELETE FROM attempts WHERE delivery_id IN (SELECT id FROM deliveries WHERE destination_id = $1)',
    [webhookId],
  )

const shop = async () => {
  const merchant = fixture.newMerchant()
  const { id } = await merchant.registered({ url: 'http://127.0.0.1:9/' })
  return { merchant, id }
}

describe('a page of deliveries whose receiver answers 8 KiB to each attempt', () => {
  it('contains 40, with the latest bodies in full and older ones omitted and marked', async () => {
    const { merchant, id } = await shop()
    await fill(merchant.merchantId, id, 40, 7, 'x'.repeat(8 * KIB))
    const { items, pages } = await readAll(
      (query) => merchant.deliveries(id, query),
      (page) => page.deliveries,
    )
    expect([items.length, pages]).toEqual([40, 1])
    const bodies = items.map(({ attempts }) => attempts.map(({ response_body: body }) => body?.length ?? 0))
    // The latest 40 bodies of 8 KiB are 320 KiB, the other fields of 280 attempts about 40: 18 older bodies fit.
    expect(bodies.map((of) => of[6])).toEqual(items.map(() => 8 * KIB))
    expect(bodies.map((of) => of[5]).filter((length) => length === 8 * KIB)).toHaveLength(18)
    expect(bodies.flatMap((of) => of.slice(0, 5))).toEqual(Array.from({ length: 40 * 5 }, () => 0))
    for (const { response_body: body, response_body_omitted: omitted } of items.flatMap(
      ({ attempts }) => attempts,
    ))
      expect(omitted).toBe(body === null ? true : undefined)
    await clear(id)
  })

  it.each([
    ['control characters', '\u0001'],
    ['quotes', '"'],
    ['characters of three bytes', '✓'],
  ])('is shorter with %s that grow in JSON, and every delivery is listed once', async (_, character) => {
    const { merchant, id } = await shop()
    await fill(merchant.merchantId, id, 110, 4, character.repeat(8 * KIB))
    const { items } = await readAll(
      (query) => merchant.deliveries(id, query),
      (page) => page.deliveries,
    )
    expect(items.map(({ delivery_id: deliveryId }) => Number(deliveryId.slice(-6)))).toEqual(
      Array.from({ length: 110 }, (__, index) => 110 - index),
    )
    expect(items.every(({ attempts }) => attempts[3]?.response_body?.length === 8 * KIB)).toBe(true)
    await clear(id)
  })

  it('fits a delivery that was sent again 119 times with its latest 100 attempts', async () => {
    const { merchant, id } = await shop()
    await fill(merchant.merchantId, id, 1, 120, '\u0001'.repeat(8 * KIB))
    const answer = await merchant.redeliver(id, `dlv_${id.slice(4, 24)}000001`)
    if (!answer.ok) throw new Error(answer.code)
    expect(answer.value.delivery.attempts).toHaveLength(100)
    expect(Buffer.byteLength(JSON.stringify(answer.value))).toBeLessThanOrEqual(PAGE_MAX_BYTES + AROUND)
    await clear(id)
  })

  it('has a cursor that is valid only for its own list', async () => {
    const [one, other] = [await shop(), await shop()]
    await fill(one.merchant.merchantId, one.id, 2, 0, '')
    const first = await one.merchant.deliveries(one.id, { limit: '1' })
    const cursor = first.ok ? (first.value.next_cursor ?? '') : ''
    expect(await one.merchant.deliveries(one.id, { cursor })).toMatchObject({ ok: true })
    expect(await other.merchant.deliveries(other.id, { cursor })).toEqual(invalidCursor)
    expect(await one.merchant.list({ cursor })).toEqual(invalidCursor)
  })
})

describe('a list at its limits', () => {
  it('returns 1,000 registrations with the longest URLs page by page, oldest first', async () => {
    const merchant = fixture.newMerchant()
    await fixture.harness.sql(
      `INSERT INTO destinations (id, channel, owner_id, url, event_types, secret_sealed, revision, created_at)
       SELECT 'whk_' || substr($1, 5, 22) || lpad(n::text, 4, '0'), 'merchant', $1, $2, '{}', 'x', 0, now()
       FROM generate_series(1, 1000) AS n`,
      [merchant.merchantId, LONGEST_URL],
    )
    const { items, pages, cursor } = await readAll(
      (query) => merchant.list(query),
      ({ webhooks }) => webhooks,
    )
    expect(items.map(({ id }) => Number(id.slice(-4)))).toEqual(
      Array.from({ length: 1_000 }, (_, n) => n + 1),
    )
    expect(pages).toBeGreaterThan(9)
    expect(await fixture.newMerchant().list({ cursor })).toEqual(invalidCursor)
    expect(await merchant.create({ url: 'http://127.0.0.1:9/' })).toEqual({
      ok: false,
      code: 'limit_reached',
    })
  })

  it('returns 300 destinations of a partner with the longest URLs, for staff and for the partner', async () => {
    const partnerId = newId('partner')
    await fixture.harness.sql(
      `INSERT INTO destinations (id, channel, owner_id, url, event_types, secret_sealed, revision, created_at)
       SELECT 'whk_' || substr($1, 5, 22) || lpad(n::text, 4, '0'), 'partner', $1, $2, '{}', 'x', 0, now()
       FROM generate_series(1, 300) AS n`,
      [partnerId, LONGEST_URL],
    )
    const { bus, clock } = fixture.harness
    const ask = { requestId: newId('request'), timeoutMs: TEST_DEADLINE_MS, safe: true }
    const staff = { kind: 'operator', actor: 'test' } as const
    const partner = { kind: 'partner', partnerId, clientId: newId('client') } as const
    const asStaff = (query: Query) =>
      call(bus, clock, destinations.list, { ...ask, caller: staff, params: { partnerId }, query })
    const asPartner = (query: Query) =>
      call(bus, clock, subscriptions.list, { ...ask, caller: partner, query })
    const numbers = Array.from({ length: 300 }, (_, n) => n + 1)
    const [ofStaff, ofPartner] = [
      await readAll(asStaff, ({ webhooks }) => webhooks),
      await readAll(asPartner, ({ webhooks }) => webhooks),
    ]
    for (const { items } of [ofStaff, ofPartner])
      expect(items.map(({ webhook_id: id }) => Number(id.slice(-4)))).toEqual(numbers)
    expect(await asStaff({ cursor: ofPartner.cursor })).toEqual(invalidCursor)
  })

  it('returns events with deliveries to a thousand destinations', async () => {
    const { merchant, id } = await shop()
    await fill(merchant.merchantId, id, 12, 0, '')
    await fixture.harness.sql(
      `INSERT INTO deliveries (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used, due_at,
         next_attempt_at, created_at)
       SELECT 'whk_' || lpad(n::text, 26, '0'), 'dlv_1' || right(e.event_id, 6) || lpad(n::text, 19, '0'), $1, e.event_id, 'paid', 'delivered',
         1, 0, now(), now(), now()
       FROM events e, generate_series(1, 1200) AS n WHERE e.owner_id = $1`,
      [merchant.merchantId],
    )
    const { items, pages } = await readAll(
      (query) => merchant.events(query),
      ({ events }) => events,
    )
    expect(items.map(({ event_id: eventId }) => Number(eventId.slice(-6)))).toEqual(
      Array.from({ length: 12 }, (_, index) => 12 - index),
    )
    expect(items.map(({ deliveries }) => deliveries.length)).toEqual(items.map(() => 1_000))
    expect(pages).toBeGreaterThan(1)
    const one = await merchant.event(items[0]?.event_id ?? '')
    expect(Buffer.byteLength(JSON.stringify(one))).toBeLessThan(PAGE_MAX_BYTES)
  })
})
