import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId, queryMany } from '@causeway/chassis'
import type { Transfer } from '@causeway/rails/chains'
import { z } from 'zod'
import { newPartner } from '../running-payments.ts'
import {
  catchUp,
  DEPTH,
  LEASE_MS,
  mineEmpty,
  NETWORK,
  startBlockFixture,
  type BlockFixture,
} from './block-fixture.ts'
import { createScriptedChain } from './scripted-chain.ts'

const listDeposits = queryMany({
  name: 'test.list-deposits',
  parameters: { orderId: 'text' },
  text: `SELECT tx_id, confirmations FROM crypto_deposits WHERE order_id = :orderId ORDER BY tx_id`,
  row: z.object({ txId: z.string(), confirmations: z.number() }),
})

let fixture: BlockFixture
beforeAll(async () => {
  fixture = await startBlockFixture()
})
afterAll(async () => {
  await fixture.stop()
})

describe('an order settled from the blocks of its network', () => {
  test('counts a deposit from its depth on, including its own block', async () => {
    const chain = await fixture.newChain()
    const reading = fixture.newReading(chain)
    const order = await fixture.newOrder()
    await catchUp(reading)
    chain.mine([order.pay()])
    for (const status of ['pending', 'pending', 'paid']) {
      await catchUp(reading)
      expect(await order.status()).toBe(status)
      chain.mine()
    }
    expect(await order.told()).toEqual(['payment.confirmed'])
  })

  test('ignores transfers to others, and to the address in another asset', async () => {
    const chain = await fixture.newChain()
    const reading = fixture.newReading(chain)
    const order = await fixture.newOrder()
    await catchUp(reading)
    chain.mine([
      { ...order.pay(), address: 'ltc1qnobodys' },
      { ...order.pay(), asset: 'BTC' },
    ])
    mineEmpty(chain, DEPTH)
    await catchUp(reading)
    expect(await order.status()).toBe('pending')
  })

  test('settles several orders from one transaction, one of them twice', async () => {
    const chain = await fixture.newChain()
    const reading = fixture.newReading(chain)
    const [one, other] = [await fixture.newOrder(), await fixture.newOrder()]
    const txId = newId('request')
    chain.mine([
      one.pay(one.amount, txId),
      { ...other.pay('0.00000001', txId), outputIndex: 1 },
      { ...other.pay(other.amount, txId), outputIndex: 2 },
    ])
    mineEmpty(chain, DEPTH)
    await catchUp(reading)
    expect(await one.status()).toBe('paid')
    expect(await other.status()).toBe('paid')
    expect(await listDeposits(fixture.payments.db, { orderId: other.id })).toHaveLength(2)
  })

  test('shows an unmined payment as a deposit with 0 confirmations, and drops it when it is replaced', async () => {
    const chain = await fixture.newChain()
    const reading = fixture.newReading(chain)
    const order = await fixture.newOrder()
    await catchUp(reading)
    const [first, second] = [order.pay(), order.pay()]
    chain.wait([first])
    await catchUp(reading)
    await catchUp(reading)
    expect(await listDeposits(fixture.payments.db, { orderId: order.id })).toEqual([
      { txId: first.txId, confirmations: 0 },
    ])
    chain.wait([second])
    await catchUp(reading)
    expect(await listDeposits(fixture.payments.db, { orderId: order.id })).toEqual([
      { txId: second.txId, confirmations: 0 },
    ])
    chain.mine([second])
    await catchUp(reading)
    // An endpoint that has not seen the block yet still has it waiting.
    await catchUp(reading)
    expect(await listDeposits(fixture.payments.db, { orderId: order.id })).toEqual([
      { txId: second.txId, confirmations: 1 },
    ])
    expect(await order.status()).toBe('pending')
  })
})

describe('change that returns to the address of an order', () => {
  const outputOf = ({ txId, outputIndex }: Transfer) => `${txId}:${outputIndex}`

  test.each([
    ['block by block', true],
    ['in one batch with the deposit that it spends', false],
  ])('is not a deposit when read %s', async (_, isSeparate) => {
    const chain = await fixture.newChain()
    const order = await fixture.newOrder()
    const reading = fixture.newReading(chain)
    await catchUp(reading)
    const payment = order.pay('0.2')
    chain.mine([payment])
    mineEmpty(chain, DEPTH)
    if (isSeparate) await catchUp(reading)
    const back = { ...order.pay('0.1'), outputIndex: 1, spends: [outputOf(payment)] }
    chain.wait([back])
    if (isSeparate) await catchUp(reading)
    chain.wait([])
    chain.mine([back])
    mineEmpty(chain, DEPTH)
    await catchUp(reading)
    expect(await listDeposits(fixture.payments.db, { orderId: order.id })).toMatchObject([
      { txId: payment.txId },
    ])
    expect(await order.status()).toBe('underpaid')
    expect(await order.told()).toEqual(['payment.underpaid'])
  })

  test("does not hide a payer's later deposit or a payment from one order's address to another", async () => {
    const chain = await fixture.newChain()
    const [one, other] = [await fixture.newOrder(), await fixture.newOrder()]
    const reading = fixture.newReading(chain)
    await catchUp(reading)
    const payment = one.pay('0.2')
    chain.mine([payment])
    await catchUp(reading)
    const stranger = `${'ab'.repeat(32)}:4294967295`
    chain.mine([
      { ...one.pay(), spends: [stranger] },
      { ...other.pay(), spends: [stranger, outputOf(payment)] },
    ])
    mineEmpty(chain, DEPTH)
    await catchUp(reading)
    expect(await one.status()).toBe('paid')
    expect(await other.status()).toBe('paid')
  })
})

test('reads nodes that were unavailable at the start only once they match the settings', async () => {
  const chain = await fixture.newChain()
  let isRight = false
  const verify = () =>
    isRight ? Promise.resolve() : Promise.reject(new Error('LTC_NODE_URLS: not on the chain main'))
  const reading = fixture.newReading({ ...chain, source: { ...chain.source, verify } })
  const order = await fixture.newOrder()
  chain.mine([order.pay()])
  mineEmpty(chain, DEPTH)
  await expect(catchUp(reading)).rejects.toThrow(/^LTC_NODE_URLS/)
  expect(await order.status()).toBe('pending')
  isRight = true
  await catchUp(reading)
  expect(await order.status()).toBe('paid')
})

describe('a reorganisation', () => {
  test.each([1, 2, 8, 40])('reverts, reports and counts again what was paid, at depth %i', async (depth) => {
    const chain = await fixture.newChain()
    const reading = fixture.newReading(chain)
    const order = await fixture.newOrder()
    mineEmpty(chain, 50)
    await catchUp(reading)
    const payment = order.pay()
    chain.mine([payment])
    mineEmpty(chain, Math.max(depth, DEPTH) - 1)
    await catchUp(reading)
    expect(await order.status()).toBe('paid')
    chain.rewind(Math.max(depth, DEPTH))
    mineEmpty(chain, Math.max(depth, DEPTH) + 1)
    await catchUp(reading)
    expect(await order.status()).toBe('pending')
    chain.mine([payment])
    mineEmpty(chain, DEPTH - 1)
    await catchUp(reading)
    expect(await order.status()).toBe('paid')
    expect(await order.told()).toEqual(['payment.confirmed', 'payment.reverted', 'payment.confirmed'])
  })

  test('is detected at a head of the same number that no block follows yet', async () => {
    const chain = await fixture.newChain()
    const reading = fixture.newReading(chain)
    const order = await fixture.newOrder()
    chain.mine([order.pay()])
    mineEmpty(chain, DEPTH - 1)
    await catchUp(reading)
    expect(await order.status()).toBe('paid')
    chain.rewind(DEPTH)
    mineEmpty(chain, DEPTH)
    await catchUp(reading)
    expect(await order.status()).toBe('pending')
  })

  test('is reported twice when a payment is mined again in another block that is deep enough', async () => {
    const chain = await fixture.newChain()
    const reading = fixture.newReading(chain)
    const order = await fixture.newOrder()
    const payment = order.pay()
    chain.mine([payment])
    mineEmpty(chain, DEPTH - 1)
    await catchUp(reading)
    chain.rewind(DEPTH)
    chain.mine([payment])
    mineEmpty(chain, DEPTH)
    await catchUp(reading)
    expect(await order.status()).toBe('paid')
    expect(await order.told()).toEqual(['payment.confirmed', 'payment.reverted', 'payment.confirmed'])
  })

  test('leaves the deposits of another network unchanged', async () => {
    const chain = await fixture.newChain()
    const reading = fixture.newReading(chain)
    const partner = newPartner()
    const { customerId } = fixture.payments.newCustomer(partner)
    const bitcoin = await fixture.payments.newOrder(partner, customerId)
    await fixture.payments.deposit(bitcoin.id)
    await fixture.payments.becomes(partner, bitcoin.id, 'paid')
    mineEmpty(chain, 5)
    await catchUp(reading)
    chain.rewind(4)
    mineEmpty(chain, 6)
    await catchUp(reading)
    expect(await fixture.payments.read(partner, bitcoin.id)).toMatchObject({
      value: { order: { status: 'paid' } },
    })
  })

  test('is logged and reverts nothing when no block that was read remains', async () => {
    const chain = await fixture.newChain()
    await catchUp(fixture.newReading(chain))
    fixture.payments.clock.advance(LEASE_MS)
    const other = createScriptedChain(NETWORK, 'other')
    mineEmpty(other, 30)
    await expect(catchUp(fixture.newReading(other))).rejects.toThrow(
      /^LTC: the endpoints' current chain contains no block of the last 1000/,
    )
  })
})
