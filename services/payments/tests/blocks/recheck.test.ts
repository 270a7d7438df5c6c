import { FINALITY_DEPTHS } from '@causeway/rails'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { catchUp, DEPTH, mineEmpty, NETWORK, startBlockFixture, type BlockFixture } from './block-fixture.ts'

const FINALITY = FINALITY_DEPTHS[NETWORK]

let fixture: BlockFixture
beforeAll(async () => {
  fixture = await startBlockFixture()
})
afterAll(async () => {
  await fixture.stop()
})

/** An order that was paid, its payment's block the first of DEPTH. */
const startPaid = async () => {
  const chain = await fixture.newChain()
  const reading = fixture.newReading(chain)
  const order = await fixture.newOrder()
  await catchUp(reading)
  const payment = order.pay()
  chain.mine([payment])
  mineEmpty(chain, DEPTH - 1)
  await catchUp(reading)
  expect(await order.status()).toBe('paid')
  return { chain, reading, order, payment }
}

describe('a reorganisation that nobody showed', () => {
  test('is found before a deposit counts: it never does, and counts where it is mined again', async () => {
    const chain = await fixture.newChain()
    const reading = fixture.newReading(chain)
    const order = await fixture.newOrder()
    await catchUp(reading)
    const payment = order.pay()
    chain.mine([payment])
    mineEmpty(chain, DEPTH - 2)
    await catchUp(reading)
    chain.hideReorganisation(DEPTH - 1)
    mineEmpty(chain, 3)
    await catchUp(reading)
    await catchUp(reading)
    expect(await order.status()).toBe('pending')
    expect(await order.told()).toEqual([])
    chain.reveal()
    chain.mine([payment])
    mineEmpty(chain, DEPTH - 1)
    await catchUp(reading)
    expect(await order.status()).toBe('paid')
    expect(await order.told()).toEqual(['payment.confirmed'])
  })

  test('is found before a deposit that counts is final: it is taken back, told, and another one pays', async () => {
    const { chain, reading, order } = await startPaid()
    chain.hideReorganisation(DEPTH)
    mineEmpty(chain, FINALITY - DEPTH - 1)
    await catchUp(reading)
    expect(await order.status()).toBe('paid')
    mineEmpty(chain, 1)
    await catchUp(reading)
    expect(await order.status()).toBe('pending')
    chain.reveal()
    chain.mine([order.pay()])
    mineEmpty(chain, DEPTH - 1)
    await catchUp(reading)
    expect(await order.told()).toEqual(['payment.confirmed', 'payment.reverted', 'payment.confirmed'])
  })
})

describe('a deposit that its block holds no more', () => {
  test('is taken back alone before it is final', async () => {
    const { chain, reading, order, payment } = await startPaid()
    const other = await fixture.newOrder()
    chain.mine([other.pay()])
    mineEmpty(chain, DEPTH)
    await catchUp(reading)
    chain.forget(payment)
    mineEmpty(chain, FINALITY)
    await catchUp(reading)
    expect(await order.status()).toBe('pending')
    expect(await order.told()).toEqual(['payment.confirmed', 'payment.reverted'])
    expect(await other.told()).toEqual(['payment.confirmed'])
  })

  test('is not asked for any more once it was final', async () => {
    const { chain, reading, order, payment } = await startPaid()
    mineEmpty(chain, FINALITY)
    await catchUp(reading)
    chain.forget(payment)
    mineEmpty(chain, FINALITY)
    await catchUp(reading)
    expect(await order.status()).toBe('paid')
  })

  test('is asked for again while nobody answers', async () => {
    const { chain, reading, order, payment } = await startPaid()
    chain.forget(payment)
    mineEmpty(chain, FINALITY - DEPTH)
    for (let failures = 1; failures < 20; failures += 1) {
      chain.fail(failures)
      await catchUp(reading)
    }
    expect(await order.status()).toBe('pending')
  })
})
