import { queryMany, queryNone } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { FINALITY_DEPTHS, toUnits } from '@causeway/rails/networks'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { insertBalanceChecks } from '../../src/blocks/balance-store.ts'
import { catchUp, DEPTH, mineEmpty, startBlockFixture, type BlockFixture } from './block-fixture.ts'

/** Blocks after which the balance of an order that ended lately has been read for certain. */
const UNTIL_READ = 26
const HOUR_MS = 3_600_000

const listMoney = queryMany({
  name: 'test.list-money',
  parameters: { orderId: 'text' },
  text: `
    SELECT kind || ' ' || amount AS words FROM unattributed_money WHERE order_id = :orderId AND status = 'open'
    ORDER BY received_at, id`,
  row: z.object({ words: z.string() }),
})
const expireRate = queryNone({
  name: 'test.expire-rate',
  parameters: { orderId: 'text', at: 'timestamptz' },
  text: 'UPDATE crypto_orders SET expires_at = :at WHERE id = :orderId',
})

let fixture: BlockFixture
beforeAll(async () => {
  fixture = await startBlockFixture()
})
afterAll(async () => {
  await fixture.stop()
})

const start = async () => {
  const chain = await fixture.newChain('ETH')
  const reading = fixture.newReading(chain)
  const order = await fixture.newOrder('ETH')
  await insertBalanceChecks(fixture.payments.db, { orderIds: [order.id] })
  await catchUp(reading)
  const wei = toUnits(order.amount, 18)
  const money = async () =>
    (await listMoney(fixture.payments.db, { orderId: order.id })).map(({ words }) => words)
  const mine = async (count: number) => {
    mineEmpty(chain, count)
    await catchUp(reading)
  }
  /** Until a balance has been read, and what it brought is deep enough. */
  const find = async () => {
    await mine(UNTIL_READ)
    await mine(DEPTH)
  }
  return { chain, reading, order, wei, money, mine, find }
}

describe('ETH that a contract sends', () => {
  test('counts again after a reorganisation removed it from a paid order', async () => {
    const { chain, reading, order, wei, mine } = await start()
    chain.mine([], [{ address: order.address, wei }])
    await catchUp(reading)
    await mine(DEPTH)
    expect(await order.status()).toBe('paid')
    await mine(2)
    chain.rewind(DEPTH + 3)
    mineEmpty(chain, DEPTH + 4)
    await catchUp(reading)
    expect(await order.status()).toBe('pending')
    chain.mine([], [{ address: order.address, wei }])
    await catchUp(reading)
    await mine(DEPTH)
    expect(await order.status()).toBe('paid')
    expect(await order.told()).toEqual(['payment.confirmed', 'payment.reverted', 'payment.confirmed'])
  })

  test.each(['paid', 'cancelled', 'expired', 'refunded'] as const)(
    'is listed as unattributed money when it was sent to an order that is %s',
    async (status) => {
      const { chain, reading, order, wei, money, mine, find } = await start()
      const { payments } = fixture
      if (status === 'paid') {
        chain.mine([order.pay()])
        await catchUp(reading)
        await mine(DEPTH)
      } else if (status === 'expired')
        await expireRate(payments.db, { orderId: order.id, at: payments.clock.now() })
      else await payments.cancel(order.partner, order.id)
      if (status === 'refunded') {
        chain.mine([], [{ address: order.address, wei: wei / 4n }])
        await catchUp(reading)
        await find()
        await payments.refund(order.id, '0x00000000219ab540356cBB839Cbe05303d7705Fa')
      }
      await eventually(async () => (await order.status()) === status)
      chain.mine([], [{ address: order.address, wei: wei / 2n }])
      await catchUp(reading)
      await find()
      const amount = Number(order.amount) / 2
      expect(await money()).toEqual([`${status === 'paid' ? 'second' : 'late'} ${amount}`])
    },
  )

  test('is found after a sweep has emptied the address, and a reverted sweep is not a deposit', async () => {
    const { chain, reading, order, wei, money, mine, find } = await start()
    chain.mine([order.pay()])
    await catchUp(reading)
    await mine(UNTIL_READ)
    chain.mine([], [{ address: order.address, wei: -wei }])
    await catchUp(reading)
    await mine(30)
    chain.rewind(31)
    mineEmpty(chain, 32)
    await catchUp(reading)
    await find()
    expect(await money()).toEqual([])
    chain.mine([], [{ address: order.address, wei: -wei }])
    await catchUp(reading)
    await mine(FINALITY_DEPTHS.ETH)
    await mine(UNTIL_READ)
    chain.mine([], [{ address: order.address, wei: 7n }])
    await catchUp(reading)
    await find()
    expect(await money()).toEqual(['second 0.000000000000000007'])
  })
})

test('reads balances of open orders with every block, and of ended orders less often the older they are', async () => {
  const { nextReading } = await import('../../src/blocks/balance-schedule.ts')
  const expiresAt = new Date('2026-01-01T00:00:00Z')
  const after = (hours: number, isOpen = false) => {
    const minedAt = new Date(expiresAt.getTime() + hours * HOUR_MS)
    return nextReading({ isOpen, expiresAt }, { number: 1_000, minedAt }) - 1_000
  }
  expect([after(1_000, true), after(-1), after(24), after(24 * 30), after(24 * 10_000)]).toEqual([
    1, 25, 300, 9_000, 216_000,
  ])
})
