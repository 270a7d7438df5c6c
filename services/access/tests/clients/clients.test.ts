import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestDb, eventually } from '@causeway/chassis/testing'
import { getClient, updateClient } from '../../src/clients/store.ts'
import { nextRevision } from '../../src/change-feed/store.ts'
import {
  newPartner,
  openFixture,
  type Replica,
  type Fixture,
} from '../../../gateway/tests/fixtures/running-gateway.ts'

let fixture: Fixture
let one: Replica
let two: Replica

beforeAll(async () => {
  fixture = await openFixture()
  ;[one, two] = await Promise.all([fixture.startReplica(), fixture.startReplica()])
})
afterAll(async () => {
  await fixture.close()
})

const statusOn = async (replica: Replica, token: string) =>
  (await replica.call('GET', '/api/v1/partner/customers', { token })).status
const statuses = (token: string) => Promise.all([statusOn(one, token), statusOn(two, token)])
const refusedEverywhere = (token: string) =>
  eventually(async () => (await statuses(token)).every((status) => status === 401))

describe('an issued token, on both replicas', () => {
  test('is refused immediately on the replica that disables its client, and on the other once it is notified', async () => {
    const { token, client } = await newPartner(one)
    expect(await statuses(token)).toEqual([200, 200])
    await one.operate('PATCH', `/clients/${client.client_id}`, { status: 'disabled' })
    expect(await statusOn(one, token)).toBe(401)
    await refusedEverywhere(token)
    expect((await two.askToken(client)).code).toBe('invalid_client')
  })

  test('is refused when its partner is disabled, long before it expires, and works again when it is enabled', async () => {
    const { token, partner, client } = await newPartner(one)
    expect(await statuses(token)).toEqual([200, 200])
    await two.operate('PATCH', `/partners/${partner.partner_id}`, { status: 'disabled' })
    await refusedEverywhere(token)
    expect((await one.askToken(client)).code).toBe('invalid_client')
    await two.operate('PATCH', `/partners/${partner.partner_id}`, { status: 'active' })
    await eventually(async () => (await statuses(token)).every((status) => status === 200))
  })

  test.each(['clients', 'partners'])('loses the scopes that are withdrawn from its %s', async (whose) => {
    const { token, client, partner } = await newPartner(one)
    const path = whose === 'clients' ? `/clients/${client.client_id}` : `/partners/${partner.partner_id}`
    expect(await statuses(token)).toEqual([200, 200])
    await one.operate('PATCH', path, { scopes: ['partner:read'] })
    expect(await statusOn(one, token)).toBe(403)
    await eventually(async () => (await statusOn(two, token)) === 403)
    expect((await one.askToken(client)).json.scope).toBe('partner:read')
    expect((await one.askToken(client, 'customers:read')).code).toBe('invalid_scope')
    await two.operate('PATCH', path, { scopes: ['customers:read', 'partner:read'] })
    await eventually(async () => (await statuses(token)).every((status) => status === 200))
  })

  test('never gains a scope that it was not issued for', async () => {
    const { client } = await newPartner(one, { scopes: ['customers:read', 'partner:read'] })
    const { access_token: token } = (await one.askToken(client, 'partner:read')).json
    expect(await statuses(token)).toEqual([403, 403])
    await one.operate('PATCH', `/clients/${client.client_id}`, { scopes: ['customers:read'] })
    expect(await statuses(token)).toEqual([403, 403])
  })

  test('expires at its exp, cached or not', async () => {
    const { token } = await newPartner(one)
    expect(await statuses(token)).toEqual([200, 200])
    fixture.clock.advance(890_000)
    expect(await statusOn(one, token)).toBe(200)
    fixture.clock.advance(10_000)
    expect(await statuses(token)).toEqual([401, 401])
  })
})

test('finds a change whose nudge was lost within a second', async () => {
  const { token, client } = await newPartner(one)
  expect(await statuses(token)).toEqual([200, 200])
  const db = openTestDb(fixture.databaseUrl, fixture.clock)
  await db.transaction(async (tx) => {
    const revision = await nextRevision(tx)
    const row = await getClient(tx, { clientId: client.client_id })
    if (row === null) throw new Error('The client is not there')
    await updateClient(tx, { ...row, status: 'disabled', revision })
  })
  await refusedEverywhere(token)
  await db.close()
})

describe('the rotation of secrets', () => {
  test('ends the old secret immediately without a grace period, and accepts the new one', async () => {
    const { client } = await newPartner(one)
    const rotated = await one.operate('POST', `/clients/${client.client_id}/secret`)
    expect(rotated.status).toBe(201)
    expect((await two.askToken(client)).code).toBe('invalid_client')
    expect((await two.askToken(rotated.data.client)).status).toBe(200)
  })

  test('ends a token with the secret that it was issued for, immediately without a grace period', async () => {
    const { client, token } = await newPartner(one)
    expect(await statuses(token)).toEqual([200, 200])
    const rotated = await one.operate('POST', `/clients/${client.client_id}/secret`)
    expect(await statusOn(one, token)).toBe(401)
    await refusedEverywhere(token)
    const { access_token: next } = (await one.askToken(rotated.data.client)).json
    expect(await statuses(next)).toEqual([200, 200])
  })

  test('accepts a token as long as its secret and no longer, even if it expires later', async () => {
    const { client, token } = await newPartner(one)
    expect(await statuses(token)).toEqual([200, 200])
    const path = `/clients/${client.client_id}/secret`
    const rotated = await one.operate('POST', path, { grace_seconds: 60 })
    const { access_token: next } = (await one.askToken(rotated.data.client)).json
    const { access_token: late } = (await two.askToken(client)).json
    for (const live of [token, next, late]) expect(await statuses(live)).toEqual([200, 200])
    fixture.clock.advance(60_000)
    expect(await statuses(token)).toEqual([401, 401])
    expect(await statuses(late)).toEqual([401, 401])
    expect(await statuses(next)).toEqual([200, 200])
  })

  test('accepts two secrets for grace_seconds, and never three', async () => {
    const { client } = await newPartner(one)
    const rotate = async () =>
      (await one.operate('POST', `/clients/${client.client_id}/secret`, { grace_seconds: 60 })).data.client
    const second = await rotate()
    expect((await one.askToken(client)).status).toBe(200)
    expect((await one.askToken(second)).status).toBe(200)
    const third = await rotate()
    expect((await one.askToken(client)).code).toBe('invalid_client')
    expect((await one.askToken(second)).status).toBe(200)
    fixture.clock.advance(60_000)
    expect((await one.askToken(second)).code).toBe('invalid_client')
    expect((await one.askToken(third)).status).toBe(200)
  })

  test('gives another client of the partner a separate secret and scopes', async () => {
    const { partner } = await newPartner(one, { scopes: ['orders:read', 'customers:read'] })
    const created = await one.operate('POST', `/partners/${partner.partner_id}/clients`, {
      scopes: ['customers:read'],
    })
    expect(created.status).toBe(201)
    expect((await one.askToken(created.data.client)).json.scope).toBe('customers:read')
    const read = await one.operate('GET', `/partners/${partner.partner_id}`)
    expect(read.data.clients).toHaveLength(2)
    expect(JSON.stringify(read.json)).not.toContain('secret')
  })

  test('withdraws from a client each scope that its partner has lost', async () => {
    const { partner, client } = await newPartner(one)
    await one.operate('PATCH', `/partners/${partner.partner_id}`, { scopes: ['customers:read'] })
    expect((await one.askToken(client)).json.scope).toBe('customers:read')
  })
})
