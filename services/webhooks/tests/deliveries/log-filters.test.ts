import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { startMerchantFixture, type MerchantFixture } from '../merchant-fixture.ts'

let fixture: MerchantFixture
beforeAll(async () => {
  fixture = await startMerchantFixture()
})
afterAll(() => fixture.stop())

const STORABLE = 'well-formed Unicode without U+0000'
type Query = Record<string, string>

test('refuses a type that cannot be stored as text, and reads a time in any offset', async () => {
  const merchant = fixture.newMerchant()
  const { id } = await merchant.registered({ url: 'http://127.0.0.1:9/' })
  const refused = (field: string, reason: string, expected?: string) => ({
    ok: false,
    code: 'invalid_request',
    details: [{ field, reason, ...(expected === undefined ? {} : { expected }) }],
  })
  const lists = [
    (query: Query) => merchant.deliveries(id, query),
    (query: Query) => merchant.eventsOf(id, query),
    (query: Query) => merchant.events(query),
  ]
  for (const list of lists) {
    expect(await list({ event_type: 'paid\u0000' })).toEqual(refused('event_type', 'invalid_value', STORABLE))
    expect(await list({ event_type: '\ud800' })).toEqual(refused('event_type', 'invalid_value', STORABLE))
    const precise = `2026-01-01T00:00:00.${'1'.repeat(129)}Z`
    expect(await list({ until: precise })).toEqual(refused('until', 'too_long', 'at most 64 characters'))
    expect(await list({ until: '2026-01-01T00:00:00+23:59' })).toMatchObject({ ok: true })
    expect(await list({ since: '0001-01-01T00:00:00Z', until: '9999-12-31T23:59:59.9Z' })).toMatchObject({
      ok: true,
    })
  }
})

test('refuses invalid times with the name of their field', async () => {
  const merchant = fixture.newMerchant()
  const { id } = await merchant.registered({ url: 'https://shop.example/' })
  const refusal = {
    ok: false,
    code: 'invalid_request',
    details: [
      {
        field: 'since',
        reason: 'invalid_date',
        expected: 'a time in ISO 8601 with an offset or Z, such as 2026-11-01T12:00:00Z',
      },
    ],
  }
  expect(await merchant.deliveries(id, { since: 'yesterday' })).toEqual(refusal)
  expect(await merchant.events({ since: 'yesterday' })).toEqual(refusal)
  expect(await merchant.startRedelivery(id, { since: 'yesterday' })).toEqual(refusal)
})

test('finds the one delivery of an event if the other filters match', async () => {
  const merchant = fixture.newMerchant()
  const { id } = await merchant.registered({ url: 'http://127.0.0.1:9/' })
  await merchant.test(id)
  await merchant.test(id)
  const eventsIn = async (query: Query) => {
    const listed = await merchant.deliveries(id, query)
    return listed.ok ? listed.value.deliveries.map((delivery) => delivery.event_id) : listed.code
  }
  const all = await eventsIn({})
  expect(all).toHaveLength(2)
  for (const event of all) expect(await eventsIn({ event_id: event })).toEqual([event])
  const [event = ''] = all
  expect(await eventsIn({ event_id: event, status: 'dead' })).toEqual([event])
  expect(await eventsIn({ event_id: event, status: 'delivered' })).toEqual([])
  expect(await eventsIn({ event_id: event, event_type: 'paid' })).toEqual([])
  expect(await eventsIn({ event_id: newId('event') })).toEqual([])
})
