import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { CAPABILITIES, DEFAULT_SCOPES } from '@causeway/contracts'
import {
  newPartner,
  openFixture,
  type Data,
  type Replica,
  type Fixture,
} from '../../../gateway/tests/fixtures/running-gateway.ts'
import { WEBHOOK_SECRET } from '../../../gateway/tests/fixtures/script.ts'

let fixture: Fixture
let gateway: Replica

beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica()
})
afterAll(async () => {
  await fixture.close()
})

type Entry = Data['entries'][number]

const allEntries = async (limit = 100): Promise<Entry[]> => {
  const entries: Entry[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await gateway.operate(
      'GET',
      `/audit?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`,
    )
    entries.push(...page.data.entries)
    cursor = page.data.next_cursor
  }
  return entries
}
const entryOf = async (requestId: string) =>
  (await allEntries()).find((entry) => entry.request_id === requestId)

describe('partners', () => {
  test('have every scope and capability by default, and a first client', async () => {
    const { created } = await newPartner(gateway)
    expect(created.status).toBe(201)
    expect(created.data.partner).toEqual({
      partner_id: expect.stringMatching(/^prt_/),
      name: 'Acme',
      status: 'active',
      scopes: DEFAULT_SCOPES,
      default_capabilities: CAPABILITIES,
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    })
    expect(Object.keys(created.data.client)).toEqual(['client_id', 'client_secret'])
  })

  test('are named by id for staff, at most 100 at a time', async () => {
    const { partner } = await newPartner(gateway)
    const named = (ids: unknown) => gateway.operate('POST', '/partners/names', { ids })
    const known = await named([partner.partner_id, newId('partner')])
    expect(known.data.names).toEqual([{ id: partner.partner_id, name: 'Acme' }])
    expect((await named(Array.from({ length: 101 }, () => newId('partner')))).status).toBe(400)
    expect((await named([newId('merchant')])).status).toBe(400)
  })

  test('are listed oldest first, page by page; the cursor of another list is refused', async () => {
    const made = [await newPartner(gateway), await newPartner(gateway), await newPartner(gateway)]
    const ids: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await gateway.operate(
        'GET',
        `/partners?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )
      ids.push(...page.data.partners.map((partner) => partner.partner_id))
      cursor = page.data.next_cursor
    }
    expect(ids.slice(-3)).toEqual(made.map(({ partner }) => partner.partner_id))
    expect(new Set(ids).size).toBe(ids.length)
    const { data } = await gateway.operate('GET', '/audit?limit=1')
    for (const bad of [data.next_cursor, 'x', '%00', ''])
      expect((await gateway.operate('GET', `/partners?cursor=${bad}`)).code).toBe('invalid_cursor')
  })

  test('change only in the fields that are given', async () => {
    const { partner } = await newPartner(gateway)
    const path = `/partners/${partner.partner_id}`
    const changed = await gateway.operate('PATCH', path, { default_capabilities: ['refunds', 'payouts'] })
    const expected = { ...partner, default_capabilities: ['payouts', 'refunds'] }
    expect(changed.data.partner).toEqual(expected)
    expect((await gateway.operate('GET', path)).data.partner).toEqual(expected)
  })

  test('get 404 if they or their client are unknown, with an id of any format', async () => {
    for (const id of [newId('partner'), 'x', '%00'])
      for (const [method, path] of [
        ['GET', ''],
        ['PATCH', ''],
        ['POST', '/clients'],
        ['POST', '/webhooks'],
        ['GET', '/webhooks'],
      ] as const) {
        const body = path === '/webhooks' && method === 'POST' ? { url: 'https://example.com' } : {}
        const answer = await gateway.operate(
          method,
          `/partners/${id}${path}`,
          method === 'GET' ? undefined : body,
        )
        expect([id, path, answer.status, answer.code]).toEqual([id, path, 404, 'resource_not_found'])
      }
    expect((await gateway.operate('PATCH', `/clients/${newId('client')}`, {})).status).toBe(404)
    expect((await gateway.operate('POST', `/clients/${newId('client')}/secret`)).status).toBe(404)
  })

  test('get 400 for an invalid body, even if they are unknown', async () => {
    const path = `/partners/${newId('partner')}`
    expect((await gateway.operate('PATCH', path, { status: 'gone' })).details).toEqual([
      { field: 'status', reason: 'invalid_value', allowed: ['active', 'disabled'] },
    ])
    expect((await gateway.operate('POST', `${path}/webhooks`, { url: 5 })).details).toEqual([
      { field: 'url', reason: 'invalid_type', expected: 'text' },
    ])
  })
})

describe('the audit log', () => {
  test('has the actor, the action and the state before and after', async () => {
    const { partner } = await newPartner(gateway)
    const changed = await gateway.operate('PATCH', `/partners/${partner.partner_id}`, { name: 'Umbrella' })
    expect(await entryOf(changed.json.request_id)).toEqual({
      entry_id: expect.stringMatching(/^aud_/),
      at: expect.any(String),
      actor: expect.stringMatching(/^operator:[0-9a-f]{8}$/),
      actor_name: null,
      action: 'gateway.partners.update',
      target: partner.partner_id,
      before: partner,
      after: { ...partner, name: 'Umbrella' },
      request_id: changed.json.request_id,
    })
  })

  test('names the new partner as the target of its creation, without the secret', async () => {
    const { created, partner, client } = await newPartner(gateway)
    const entry = await entryOf(created.json.request_id)
    expect(entry).toMatchObject({ target: partner.partner_id, before: null })
    expect(entry?.after).toEqual({ partner, client: { client_id: client.client_id } })
  })

  test('has the reply of a service, without secrets', async () => {
    const { partner } = await newPartner(gateway)
    const path = `/partners/${partner.partner_id}/webhooks`
    const created = await gateway.operate('POST', path, { url: 'https://example.com' })
    expect([created.status, created.data.webhook_secret]).toEqual([201, WEBHOOK_SECRET])
    const entry = await entryOf(created.json.request_id)
    expect(entry).toMatchObject({
      action: 'webhooks.destinations.create',
      target: partner.partner_id,
      before: null,
      after: { webhook: { url: 'https://example.com' }, webhook_secret: '[redacted]' },
    })
  })

  test('has the export of a payer, without the exported records', async () => {
    const exported = await gateway.operate('POST', '/payers/export', { ip: '203.0.113.9' })
    expect(exported.data).toMatchObject({
      records: [{ data: { firstName: 'Canary', payer_ip: '203.0.113.9' } }],
    })
    const entry = await entryOf(exported.json.request_id)
    expect(entry).toMatchObject({ action: 'payments.payers.export', target: null, before: null, after: null })
  })

  test('has the state before an action of a service', async () => {
    const path = `/customers/${newId('relationship')}/capabilities/refunds`
    const granted = await gateway.operate('PUT', path, { enabled: true })
    expect(await entryOf(granted.json.request_id)).toMatchObject({
      before: { capability: { capability: 'refunds', enabled: false } },
      after: { capability: { capability: 'refunds', enabled: true } },
    })
  })

  test('has a refused action, with the code', async () => {
    const refused = await gateway.operate('PUT', `/merchants/${newId('merchant')}/suspension`, {
      capabilities: [],
    })
    expect(refused.status).toBe(404)
    const entry = await entryOf(String(refused.headers['x-request-id']))
    expect(entry?.after).toEqual({ outcome: 'refused', code: 'resource_not_found' })
  })

  test('has reads too, except those of the log', async () => {
    const read = await gateway.operate('GET', '/partners')
    expect(await entryOf(read.json.request_id)).toMatchObject({
      action: 'gateway.partners.list',
      after: null,
    })
    const actions = (await allEntries()).map((entry) => entry.action)
    expect(actions).not.toContain('gateway.audit.list')
  })

  test('is listed oldest first and can be paged through', async () => {
    const paged = await allEntries(3)
    expect(paged.map((entry) => entry.at)).toEqual(paged.map((entry) => entry.at).toSorted())
    expect(paged.map((entry) => entry.entry_id)).toEqual((await allEntries()).map((entry) => entry.entry_id))
  })

  test('has no client secret', async () => {
    const { client } = await newPartner(gateway)
    const rotated = await gateway.operate('POST', `/clients/${client.client_id}/secret`)
    const log = JSON.stringify(await allEntries())
    for (const secret of [client.client_secret, rotated.data.client.client_secret, WEBHOOK_SECRET])
      expect(log).not.toContain(secret)
  })
})
