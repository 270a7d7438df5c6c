import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { queryNone, queryOne } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { z } from 'zod'
import { claimFeed } from '../../src/deposits/chain-feed-store.ts'
import { startForTests, type RunningPayments } from '../running-payments.ts'

const countUnwatched = queryOne({
  name: 'test.count-unwatched',
  text: 'SELECT count(*) AS orders FROM unwatched_orders',
  row: z.object({ orders: z.number() }),
})
const holdFeed = queryNone({
  name: 'test.hold-feed',
  parameters: { until: 'timestamptz' },
  text: "UPDATE chain_feed SET holder = 'a dead replica', lease_until = :until",
})

let payments: RunningPayments
beforeEach(async () => {
  payments = await startForTests()
})
afterEach(async () => {
  await payments.stop()
})
const unwatched = async () => (await countUnwatched(payments.db))?.orders

describe('an unavailable chain', () => {
  it('does not prevent orders, which are watched when it is back, and then paid', async () => {
    const { partner, customerId } = payments.newCustomer()
    await payments.fault('error')
    const created = await Promise.all(
      Array.from({ length: 20 }, () => payments.newOrder(partner, customerId)),
    )
    expect(await unwatched()).toBe(20)
    await payments.fault('ok')
    await eventually(async () => (await unwatched()) === 0)
    await Promise.all(created.map((order) => payments.deposit(order.id)))
    for (const order of created) await payments.becomes(partner, order.id, 'paid')
  })

  it("loses neither the addresses to watch nor the feed's position at a restart", async () => {
    const { partner, customerId } = payments.newCustomer()
    const paid = await payments.newOrder(partner, customerId)
    await payments.deposit(paid.id)
    await payments.becomes(partner, paid.id, 'paid')
    await payments.fault('error')
    const waiting = await payments.newOrder(partner, customerId)
    await payments.replicas.splice(0)[0]?.stop()
    await payments.fault('ok')
    await payments.addReplica()
    await payments.deposit(waiting.id)
    await payments.becomes(partner, waiting.id, 'paid')
    const confirmed = (await payments.events()).filter((event) => event.name === 'payment.confirmed')
    expect(confirmed).toHaveLength(2)
  })

  it('watches once and stops nothing when a response is lost after the effect', async () => {
    const { partner, customerId } = payments.newCustomer()
    await payments.fault('reset', 1, 'effect')
    const order = await payments.newOrder(partner, customerId)
    await eventually(async () => (await unwatched()) === 0)
    await payments.deposit(order.id)
    await payments.becomes(partner, order.id, 'paid')
  })
})

describe('a dead replica that read the feed', () => {
  it('is replaced when its lease ends, not before', async () => {
    const { partner, customerId } = payments.newCustomer()
    const order = await payments.newOrder(partner, customerId)
    await holdFeed(payments.db, { until: new Date(payments.clock.nowMs() + 8_000) })
    await payments.deposit(order.id)
    payments.clock.advance(7_999)
    const now = payments.clock.now()
    const leaseUntil = new Date(now.getTime() + 8_000)
    expect(await claimFeed(payments.db, { holder: 'a replica that is early', now, leaseUntil })).toBe(null)
    expect(await payments.read(partner, order.id)).toMatchObject({ value: { order: { status: 'pending' } } })
    payments.clock.advance(2)
    await payments.becomes(partner, order.id, 'paid')
  })
})

describe('two replicas', () => {
  it('count every deposit once and expire every order once', async () => {
    await payments.addReplica()
    const { partner, customerId } = payments.newCustomer()
    const create = () => payments.newOrder(partner, customerId)
    const toBePaid = await Promise.all(Array.from({ length: 15 }, create))
    const toExpire = await Promise.all(Array.from({ length: 15 }, create))
    await Promise.all(toBePaid.map((order) => payments.deposit(order.id)))
    for (const order of toBePaid) await payments.becomes(partner, order.id, 'paid')
    payments.clock.advance(13 * 3_600_000)
    for (const order of toExpire) await payments.becomes(partner, order.id, 'expired')
    const names = (await payments.events()).map((event) => event.name)
    expect(names.filter((name) => name === 'payment.confirmed')).toHaveLength(15)
    expect(names.filter((name) => name === 'payment.expired')).toHaveLength(15)
  })
})
