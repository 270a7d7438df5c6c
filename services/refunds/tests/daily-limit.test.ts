import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { newId, queryMany, queryOne } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { z } from 'zod'
import { startDelayingProxy } from './delaying-proxy.ts'
import { newPartner, startForTests, type Partner, type RunningRefunds } from './running-refunds.ts'

const LIMIT_CENTS = 5_000
const DAY_MS = 86_400_000

const readCounted = queryOne({
  name: 'test.read-counted',
  parameters: { partnerId: 'text', clientId: 'text' },
  text: `
    SELECT coalesce(sum(amount_cents), 0)::int AS cents FROM client_refund_days
    WHERE partner_id = :partnerId AND client_id = :clientId`,
  row: z.object({ cents: z.number() }),
})

const lockDay = queryOne({
  name: 'test.lock-day',
  parameters: { partnerId: 'text' },
  text: 'SELECT day::text FROM client_refund_days WHERE partner_id = :partnerId FOR UPDATE',
  row: z.object({ day: z.string() }),
})
const readWaiting = queryOne({
  name: 'test.read-waiting',
  text: `
    SELECT count(*)::int AS statements FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  row: z.object({ statements: z.number() }),
})
const withdraw = queryMany({
  name: 'test.withdraw',
  parameters: { partnerId: 'text' },
  text: "DELETE FROM refunds WHERE partner_id = :partnerId AND state = 'requested' RETURNING id",
  row: z.object({ id: z.string() }),
})

let front: Awaited<ReturnType<typeof startDelayingProxy>>
let refunds: RunningRefunds
beforeAll(async () => {
  front = await startDelayingProxy()
  refunds = await startForTests({
    dailyLimitCents: LIMIT_CENTS,
    cards: { connections: 16, accounts: { sandbox: { baseUrl: front.url, secret: null } } },
    reconciliation: { everyMs: 100, overlapMs: 3_600_000, depthMs: 35 * DAY_MS },
  })
  front.forwardTo(refunds.cardUrl)
  await refunds.startReplica()
})
afterEach(() => refunds.fault('ok'))
afterAll(async () => {
  await refunds.stop()
  await front.stop()
})

const reached = (remaining: number, limit = LIMIT_CENTS) => ({
  ok: false,
  code: 'limit_reached',
  details: [
    {
      resource: 'refunds',
      limit,
      remaining,
      currency: expect.any(String),
      resets_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/),
    },
  ],
})
const made = (amount_cents: number) => ({ ok: true, value: { refund: { amount_cents } } })
const countedOf = async ({ partnerId, clientId }: Partner) =>
  (await readCounted(refunds.db, { partnerId, clientId }))?.cents

describe('the daily limit of a client', () => {
  it('is exact under 16 concurrent keys on 8 orders: a refused call sends nothing and keeps its key', async () => {
    const partner = newPartner()
    const orders = await Promise.all(Array.from({ length: 8 }, () => refunds.newOrder({}, partner)))
    const both = [...orders, ...orders]
    const answers = await Promise.all(
      both.map(({ orderKey }, key) => refunds.refund(partner, orderKey, { amount_cents: 900 }, `key-${key}`)),
    )
    expect(answers.filter(({ ok }) => ok)).toHaveLength(5)
    expect(answers.filter(({ ok }) => !ok)).toEqual(Array.from({ length: 11 }, () => reached(500)))
    const lists = await Promise.all(
      orders.map(({ processorOrderId }) => refunds.atProcessor(processorOrderId)),
    )
    expect(lists.flat()).toHaveLength(5)
    expect(await countedOf(partner)).toBe(4_500)
    expect(await refunds.keysOf(partner)).toBe(5)
    const refused = answers.findIndex(({ ok }) => !ok)
    const orderKey = both[refused]?.orderKey ?? ''
    const within = await refunds.refund(partner, orderKey, { amount_cents: 500 }, `key-${refused}`)
    expect(within).toMatchObject(made(500))
    expect(await refunds.refund(partner, orderKey, { amount_cents: 1 })).toEqual(reached(0))
  })

  it('counts each client and currency separately, and starts again every day', async () => {
    const { partner, orderKey } = await refunds.newOrder()
    const dollars = await refunds.newOrder({ currency: 'USD' }, partner)
    const refund = (of: Partner, key = orderKey) => refunds.refund(of, key, { amount_cents: 3_000 })
    expect(await refund(partner)).toMatchObject(made(3_000))
    expect(await refund(partner)).toEqual(reached(2_000))
    expect(await refund(partner, dollars.orderKey)).toMatchObject(made(3_000))
    expect(await refund({ ...partner, clientId: newId('client') })).toMatchObject(made(3_000))
    refunds.clock.advance(DAY_MS)
    expect(await refund(partner)).toMatchObject(made(3_000))
  })

  it('is the limit that staff have set for the client, before the setting', async () => {
    const { partner, orderKey } = await refunds.newOrder()
    const nothing = { ...partner, dailyRefundLimitCents: 0 }
    expect(await refunds.refund(nothing, orderKey, { amount_cents: 1 })).toEqual(reached(0, 0))
    const more = { ...partner, dailyRefundLimitCents: 9_000 }
    expect(await refunds.refund(more, orderKey, { amount_cents: 9_000 })).toMatchObject(made(9_000))
    // Lowered under what is counted.
    expect(await refunds.refund(partner, orderKey, { amount_cents: 1 })).toEqual(reached(0))
  })

  it('is checked last: every other refusal comes first and counts nothing', async () => {
    const { partner, orderKey } = await refunds.newOrder()
    expect(await refunds.refund(partner, orderKey, { amount_cents: 10_001 })).toEqual({
      ok: false,
      code: 'amount_exceeds_remaining',
      details: [{ remaining_refundable_cents: 10_000 }],
    })
    expect(await countedOf(partner)).toBe(0)
  })
})

describe('a refund', () => {
  it('counts once, however often its key is replayed', async () => {
    const { partner, orderKey } = await refunds.newOrder()
    const ask = () => refunds.refund(partner, orderKey, { amount_cents: 5_000 }, 'again')
    for (const _ of [1, 2, 3]) expect(await ask()).toMatchObject(made(5_000))
    expect(await countedOf(partner)).toBe(5_000)
  })

  it.each(['refuse', 'error'])('releases its amount once when it fails (%s)', async (mode) => {
    const { partner, orderKey } = await refunds.newOrder()
    const ask = (amount_cents: number, key?: string) =>
      refunds.refund(partner, orderKey, { amount_cents }, key)
    expect(await ask(1_000)).toMatchObject(made(1_000))
    await refunds.fault(mode, 1)
    for (const _ of [1, 2])
      expect(await ask(4_000, 'fails')).toMatchObject({ ok: false, code: 'provider_error' })
    expect(await refunds.statesOf(orderKey)).toEqual({ failed: 1, reconciled: 1 })
    expect(await countedOf(partner)).toBe(1_000)
    expect(await ask(4_001)).toEqual(reached(4_000))
    expect(await ask(4_000)).toMatchObject(made(4_000))
  })

  it('counts again when it failed and succeeds late', async () => {
    const { partner, orderKey, processorOrderId } = await refunds.newOrder()
    await refunds.fault('error', 1)
    const answer = await refunds.refund(partner, orderKey, { amount_cents: 4_000 })
    expect(answer).toEqual({ ok: false, code: 'provider_error' })
    expect(await countedOf(partner)).toBe(0)
    const listed = await refunds.list(partner, orderKey)
    const refundId = (listed.ok && listed.value.refunds[0]?.refund_id) || ''
    await refunds.makeAtProcessor(processorOrderId, refundId, 4_000)
    await eventually(async () => (await refunds.statesOf(orderKey))['reconciled'] === 1)
    expect(await refunds.refund(partner, orderKey, { amount_cents: 1_001 })).toEqual(reached(1_000))
  })

  it('releases its amount with its key when the processor did not accept it', async () => {
    const { partner, orderKey } = await refunds.newOrder()
    const asking = front.hold('refund', 429)
    const answer = refunds.refund(partner, orderKey, { amount_cents: 4_000 }, 'throttled')
    await asking.reached
    expect(await countedOf(partner)).toBe(4_000)
    asking.release()
    expect(await answer).toMatchObject({ ok: false, code: 'temporarily_unavailable' })
    expect([await countedOf(partner), await refunds.keysOf(partner)]).toEqual([0, 0])
  })

  it('stays counted while its outcome is unknown, and its end counts nothing more', async () => {
    const { partner, orderKey } = await refunds.newOrder()
    const other = await refunds.newOrder({}, partner)
    await refunds.fault('reset')
    const answer = await refunds.refund(partner, orderKey, { amount_cents: 4_000 })
    expect(answer).toEqual({ ok: false, code: 'internal_error' })
    expect(await refunds.refund(partner, other.orderKey, { amount_cents: 1_001 })).toEqual(reached(1_000))
    await refunds.fault('ok')
    await eventually(async () => (await refunds.statesOf(orderKey))['reconciled'] === 1)
    expect(await countedOf(partner)).toBe(4_000)
  })

  it('is not withdrawn while it waits for its day: what is counted is sent', async () => {
    const { partner, orderKey } = await refunds.newOrder()
    const other = await refunds.newOrder({}, partner)
    expect(await refunds.refund(partner, orderKey, { amount_cents: 1_000 })).toMatchObject(made(1_000))
    const waiting = (statements: number) =>
      eventually(async () => (await readWaiting(refunds.db))?.statements === statements)
    const { answer, withdrawn } = await refunds.db
      .transaction(async (tx) => {
        await lockDay(tx, { partnerId: partner.partnerId })
        const asked = refunds.refund(partner, other.orderKey, { amount_cents: 2_000 })
        await waiting(1)
        const withdrawal = withdraw(refunds.db.pooled, { partnerId: partner.partnerId })
        await Promise.race([withdrawal, waiting(2)])
        return { answer: asked, withdrawn: withdrawal }
      })
      .then(async (under) => ({ answer: await under.answer, withdrawn: await under.withdrawn }))
    expect(withdrawn).toEqual([])
    expect(answer).toMatchObject(made(2_000))
    expect(await countedOf(partner)).toBe(3_000)
  })

  it('does not count when it was made outside the API', async () => {
    const { partner, orderKey } = await refunds.newOrder()
    await refunds.refundElsewhere(orderKey, 5_000)
    expect(await refunds.refund(partner, orderKey, { amount_cents: 5_000 })).toMatchObject(made(5_000))
  })
})
