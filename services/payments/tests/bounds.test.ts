import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId, PAGE_MAX_BYTES, queryNone, type Outcome } from '@causeway/chassis'
import {
  chargebackCases,
  chargebacks,
  fiatOrders,
  integrations,
  latePayments,
  cryptoOrders,
} from '@causeway/contracts'
import { createFiatCalls, type FiatCalls } from './fiat-calls.ts'
import {
  newPartner,
  orderBody,
  startForTests,
  type Partner,
  type RunningPayments,
} from './running-payments.ts'

const fillCases = queryNone({
  name: 'test.fill-cases',
  parameters: { partnerId: 'text', customerId: 'text', now: 'timestamptz', count: 'integer' },
  text: `
    INSERT INTO chargeback_cases (id, partner_id, partner_customer_id, kind, value_mac, value_masked, status,
      order_keys, created_at)
    SELECT 'ccs_' || lpad(n::text, 26, '0'), :partnerId, :customerId, 'ip', decode(lpad(n::text, 8, '0'), 'hex'), '203.0.113.x', 'active',
      (SELECT array_agg(100000000000000 + k) FROM generate_series(1, 1500) AS k), :now
    FROM generate_series(1, :count) AS n`,
})
const fillIntegrations = queryNone({
  name: 'test.fill-integrations',
  parameters: {
    partnerId: 'text',
    customerId: 'text',
    merchantId: 'text',
    url: 'text',
    after: 'timestamptz',
  },
  text: `
    INSERT INTO integrations (id, partner_id, partner_customer_id, merchant_id, name, processor, return_url,
      failure_url, contact_url, created_at)
    SELECT 'int_' || lpad(n::text, 26, '7'), :partnerId, :customerId, :merchantId, lpad(n::text, 100, '"'), 'processor',
      :url, :url, :url, :after + n * interval '1 second'
    FROM generate_series(1, 24) AS n`,
})

let payments: RunningPayments
let fiat: FiatCalls
beforeAll(async () => {
  payments = await startForTests()
  fiat = createFiatCalls(payments)
})
afterAll(() => payments.stop())

const KIB = 1_024
const invalidCursor = { ok: false, code: 'invalid_cursor' }

/** Reads a list to its end and checks the size of each page. */
const readAll = async <V extends { next_cursor: string | null }, I>(
  read: (cursor: string | null) => Promise<Outcome<V>>,
  itemsOf: (value: V) => readonly I[],
) => {
  const items: I[] = []
  const cursors: string[] = []
  for (let cursor: string | null = null; ;) {
    const answer = await read(cursor)
    if (!answer.ok) throw new Error(JSON.stringify(answer))
    expect(Buffer.byteLength(JSON.stringify(answer.value))).toBeLessThanOrEqual(PAGE_MAX_BYTES + KIB)
    items.push(...itemsOf(answer.value))
    cursor = answer.value.next_cursor
    if (cursor === null) return { items, cursors }
    cursors.push(cursor)
  }
}
const pageQuery = (cursor: string | null) => (cursor === null ? {} : { cursor })

describe('a list at its limits', () => {
  it('returns 150 chargeback cases of 1,500 orders each page by page; a case lists the first 1,000', async () => {
    const { partner, customerId } = await fiat.newShop()
    await fillCases(payments.db, { partnerId: partner.partnerId, customerId, now: new Date(), count: 150 })
    const read = (whose: Partner, id: string) => (cursor: string | null) =>
      payments.ask(chargebackCases.list, whose, { params: { customerId: id }, query: pageQuery(cursor) })
    const { items, cursors } = await readAll(read(partner, customerId), (value) => value.chargeback_cases)
    expect(items.map(({ case_id: id }) => Number(id.slice(4)))).toEqual(
      Array.from({ length: 150 }, (_, index) => 150 - index),
    )
    expect(items.every(({ order_keys: keys }) => keys.length === 1_000)).toBe(true)
    const other = await fiat.newShop()
    expect(await read(other.partner, other.customerId)(cursors[0] ?? '')).toEqual(invalidCursor)
    const elsewhere = { params: { customerId }, query: { cursor: cursors[0] ?? '' } }
    expect(await payments.ask(integrations.list, partner, elsewhere)).toEqual(invalidCursor)
  })

  it('returns 25 integrations with the longest names and URLs page by page', async () => {
    const { partner, customerId } = await fiat.newShop()
    const url = `https://shop.example/${'é'.repeat(2_000)}`
    await fillIntegrations(payments.db, {
      partnerId: partner.partnerId,
      customerId,
      merchantId: newId('merchant'),
      url,
      after: new Date(Date.now() + 60_000),
    })
    const read = (limit: string) => (cursor: string | null) =>
      payments.ask(integrations.list, partner, {
        params: { customerId },
        query: { ...pageQuery(cursor), limit },
      })
    for (const limit of ['100', '7', '1']) {
      const { items } = await readAll(read(limit), (value) => value.integrations)
      expect(items.map(({ name }) => name.replaceAll('"', ''))).toEqual([
        'Default',
        ...Array.from({ length: 24 }, (_, index) => String(index + 1)),
      ])
    }
  })
})

describe('a page of 100 rows with the largest fields', () => {
  /** A hundred times the largest JSON of an item. */
  const fits = (item: unknown) =>
    expect(Buffer.byteLength(JSON.stringify(item)) * 100).toBeLessThan(PAGE_MAX_BYTES)
  const WORST = '\u0001'.repeat(255)

  it('stays below 512 KiB for card orders', async () => {
    const { partner, customerId, integrationId } = await fiat.newShop()
    await fiat.newOrder(partner, customerId, integrationId, { merchant_reference: WORST })
    const listed = await payments.ask(fiatOrders.list, partner, { params: { customerId }, query: {} })
    if (!listed.ok) throw new Error(listed.code)
    expect(listed.value.orders[0]?.merchant_reference).toBe(WORST)
    fits(listed.value.orders[0])
  })

  it('stays below 512 KiB for crypto orders', async () => {
    const partner = newPartner()
    const { customerId } = payments.newCustomer(partner)
    const made = await payments.ask(cryptoOrders.create, partner, {
      params: { customerId },
      body: orderBody({ reference: WORST }),
    })
    expect(made.ok).toBe(true)
    const listed = await payments.ask(cryptoOrders.list, partner, { params: { customerId }, query: {} })
    if (!listed.ok) throw new Error(listed.code)
    expect(listed.value.orders[0]?.reference).toBe(WORST)
    fits(listed.value.orders[0])
  })

  it('clamps lists of staff and chargebacks to 100', () => {
    for (const { query } of [latePayments.list, chargebacks.list, chargebacks.listByOrder])
      expect(query.parse({ limit: '5000' }).limit).toBe(100)
  })
})
