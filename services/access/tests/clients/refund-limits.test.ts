import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createLogger, implement, refuse, reply, serve } from '@causeway/chassis'
import { eventually, testReceiverKeys } from '@causeway/chassis/testing'
import { refunds, type Caller } from '@causeway/contracts'
import {
  newPartner,
  openFixture,
  type Replica,
  type Fixture,
} from '../../../gateway/tests/fixtures/running-gateway.ts'

let fixture: Fixture
let one: Replica
let two: Replica
const asked: Caller[] = []

beforeAll(async () => {
  fixture = await openFixture()
  serve(
    fixture.bus,
    implement(refunds, {
      async create({ caller }) {
        asked.push(caller)
        return refuse('limit_reached', [{ resource: 'refunds', limit: 100, remaining: 40 }])
      },
      async list({ caller }) {
        asked.push(caller)
        return reply({ refunds: [], next_cursor: null })
      },
      createByStaff: async () => refuse('resource_not_found'),
      listByStaff: async () => refuse('invalid_cursor'),
      listPending: async () => refuse('invalid_cursor'),
      getByStaff: async () => refuse('resource_not_found'),
    }),
    {
      keys: testReceiverKeys(),
      service: 'refunds',
      clock: fixture.clock,
      log: createLogger({ service: 'test', level: 'silent' }),
      checkReplies: true,
    },
  )
  await fixture.bus.connection.flush()
  ;[one, two] = await Promise.all([fixture.startReplica(), fixture.startReplica()])
})
afterAll(() => fixture.close())

const PATH = '/api/v1/partner/fiat-orders/1001/refunds'
const refund = (replica: Replica, token: string) =>
  replica.call('POST', PATH, {
    token,
    headers: { 'idempotency-key': 'one' },
    body: { amount_cents: 60 },
  })
/** The caller that the refunds service received. */
const callerSeenBy = async (replica: Replica, token: string): Promise<unknown> => {
  await refund(replica, token)
  return asked.at(-1)
}
const limit = (clientId: string, daily_refund_limit_cents: unknown) =>
  one.operate('PATCH', `/clients/${clientId}`, { daily_refund_limit_cents })

test('shows a client’s limit, sends it only with that client’s refunds, applies it on every replica immediately, and removes it', async () => {
  const { partner, client, token } = await newPartner(one)
  const clientId = client.client_id
  const caller = { kind: 'partner', partnerId: partner.partner_id, clientId }
  const shown = async () => (await one.operate('GET', `/partners/${partner.partner_id}`)).data.clients
  expect([await callerSeenBy(one, token), await callerSeenBy(two, token)]).toEqual([caller, caller])
  expect((await shown()).map((each) => Object.keys(each))).toEqual([
    ['client_id', 'status', 'scopes', 'created_at'],
  ])

  const set = await limit(clientId, 25_000)
  expect([set.status, set.data.client.daily_refund_limit_cents]).toEqual([200, 25_000])
  expect((await shown())[0]?.daily_refund_limit_cents).toBe(25_000)
  const limited = { ...caller, dailyRefundLimitCents: 25_000 }
  expect(await callerSeenBy(one, token)).toEqual(limited)
  await eventually(async () => {
    expect(await callerSeenBy(two, token)).toEqual(limited)
    return true
  })
  await one.call('GET', PATH, { token })
  expect(asked.at(-1)).toEqual(caller)
  // Another update does not change it.
  await one.operate('PATCH', `/clients/${clientId}`, { status: 'active' })
  expect(await callerSeenBy(one, token)).toEqual(limited)

  expect((await limit(clientId, 0)).data.client.daily_refund_limit_cents).toBe(0)
  expect(await callerSeenBy(one, token)).toEqual({ ...caller, dailyRefundLimitCents: 0 })
  expect((await limit(clientId, null)).data.client).not.toHaveProperty('daily_refund_limit_cents')
  await eventually(async () => {
    expect([await callerSeenBy(one, token), await callerSeenBy(two, token)]).toEqual([caller, caller])
    return true
  })
})

test('answers 409 limit_reached with the remaining amount to a refund over the limit', async () => {
  const { token } = await newPartner(one)
  const answer = await refund(one, token)
  expect([answer.status, answer.code, answer.details]).toEqual([
    409,
    'limit_reached',
    [{ resource: 'refunds', limit: 100, remaining: 40 }],
  ])
})

test.each([
  [-1, 'too_small', 'at least 0'],
  [1.5, 'invalid_type', 'an integer'],
  ['100', 'invalid_type', 'a number'],
])('answers 400 to a limit of %p', async (value, reason, expected) => {
  const { client } = await newPartner(one)
  const answer = await limit(client.client_id, value)
  expect([answer.status, answer.details]).toEqual([
    400,
    [{ field: 'daily_refund_limit_cents', reason, expected }],
  ])
})
