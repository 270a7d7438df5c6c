import { queryNone } from '@causeway/chassis'
import { FINALITY_DEPTHS } from '@causeway/rails/networks'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  catchUp,
  DEPTH,
  LEASE_MS,
  mineEmpty,
  NETWORK,
  startBlockFixture,
  type BlockFixture,
} from './block-fixture.ts'

const FINALITY = FINALITY_DEPTHS[NETWORK]

const forgetBlock = queryNone({
  name: 'test.forget-block',
  parameters: { network: 'text', upTo: 'bigint' },
  text: 'DELETE FROM chain_blocks WHERE network = :network AND number <= :upTo',
})

let fixture: BlockFixture
beforeAll(async () => {
  fixture = await startBlockFixture()
})
afterAll(async () => {
  await fixture.stop()
})
const moveDeposit = queryNone({
  name: 'test.move-deposit',
  parameters: { orderId: 'text', blockHash: 'text' },
  text: 'UPDATE crypto_deposits SET block_hash = :blockHash WHERE order_id = :orderId',
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

describe('a reorganisation that the head did not show', () => {
  test('is detected before a deposit counts, which counts only where it is mined again', async () => {
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

  test('is detected before a counted deposit is final: it is reverted, reported, and another one pays', async () => {
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

describe('a deposit that is missing from its block', () => {
  test('is reverted alone before it is final', async () => {
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

  test('is not checked any more once it was final', async () => {
    const { chain, reading, order, payment } = await startPaid()
    mineEmpty(chain, FINALITY)
    await catchUp(reading)
    chain.forget(payment)
    mineEmpty(chain, FINALITY)
    await catchUp(reading)
    expect(await order.status()).toBe('paid')
  })

  test('is checked again while nobody answers', async () => {
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

describe('a lowered confirmation depth', () => {
  /** A deposit that is deeper than the new depth, and not as deep as the old one. */
  const between = async () => {
    const chain = await fixture.newChain()
    const before = fixture.newReading(chain, 12)
    const order = await fixture.newOrder()
    await catchUp(before)
    const { number } = chain.mine([order.pay()])
    mineEmpty(chain, 8)
    await catchUp(before)
    expect(await order.status()).toBe('pending')
    fixture.payments.clock.advance(LEASE_MS)
    return { chain, order, number, reading: fixture.newReading(chain, DEPTH) }
  }

  test('counts a deposit between the old and the new depth with the next block', async () => {
    const { chain, order, reading } = await between()
    mineEmpty(chain, 1)
    await catchUp(reading)
    expect(await order.status()).toBe('paid')
  })

  test('counts a deposit although its block is not kept any more', async () => {
    const { chain, order, number, reading } = await between()
    await forgetBlock(fixture.payments.db, { network: NETWORK, upTo: number })
    mineEmpty(chain, 1)
    await catchUp(reading)
    expect(await order.status()).toBe('paid')
  })

  test('treats a deposit whose block is neither kept nor on the chain as unmined, and continues to read', async () => {
    const { chain, order, number, reading } = await between()
    await forgetBlock(fixture.payments.db, { network: NETWORK, upTo: number })
    await moveDeposit(fixture.payments.db, { orderId: order.id, blockHash: 'another chain’s' })
    mineEmpty(chain, 1)
    await catchUp(reading)
    await catchUp(reading)
    expect(await order.status()).toBe('pending')
    const other = await fixture.newOrder()
    chain.mine([other.pay()])
    mineEmpty(chain, DEPTH)
    await catchUp(reading)
    expect(await other.status()).toBe('paid')
  })
})
