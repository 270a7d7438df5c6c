import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { createSandboxChainAdapter, type ChainAdapter, type WatchEntry } from '@causeway/rails/chains'
import type { Sandbox } from '../src/sandbox.ts'
import { control } from './control.ts'
import { startSandbox } from '../src/testing/index.ts'

const order: WatchEntry = {
  orderId: 'ord_1',
  network: 'BTC',
  asset: 'BTC',
  address: 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
  due: '0.015',
}

describe('control endpoints', () => {
  let sandbox: Sandbox
  let chain: ChainAdapter

  beforeEach(async () => {
    sandbox = await startSandbox()
    chain = createSandboxChainAdapter({ baseUrl: sandbox.chainUrl(), timeoutMs: TEST_DEADLINE_MS })
  })
  afterEach(async () => {
    await chain.close()
    await sandbox.stop()
  })

  const deposit = (body: unknown) => control(sandbox, 'POST', '/control/deposits', body)
  const confirm = (body: unknown) => control(sandbox, 'POST', '/control/confirmations', body)
  const errorOf = ({ status, body }: Awaited<ReturnType<typeof deposit>>) => {
    const error = body['error'] as { code: string; message: string; details: unknown[] }
    return { status, code: error.code, details: error.details, message: error.message }
  }

  test('pays exactly the amount due by a deposit without an amount, with enough confirmations', async () => {
    await chain.watch([order])
    expect(await deposit({ order_id: 'ord_1' })).toEqual({
      status: 200,
      body: {
        order_id: 'ord_1',
        network: 'BTC',
        asset: 'BTC',
        address: order.address,
        tx_id: expect.stringMatching(/^[0-9a-f]{64}$/),
        amount: '0.015',
        confirmations: 144,
        block_number: 1_000_001,
        still_due: '0',
      },
    })
  })

  test('subtracts every earlier deposit from the amount due, including unconfirmed ones', async () => {
    await chain.watch([order])
    await deposit({ order_id: 'ord_1', amount: 0.004 })
    await deposit({ order_id: 'ord_1', amount: '0.001', confirmations: 0 })
    expect((await deposit({ order_id: 'ord_1' })).body['amount']).toBe('0.01')
  })

  test('requires an amount for a deposit once nothing is due', async () => {
    await chain.watch([order])
    await deposit({ order_id: 'ord_1' })
    expect(errorOf(await deposit({ order_id: 'ord_1' }))).toMatchObject({ status: 409, code: 'nothing_due' })
    expect((await deposit({ order_id: 'ord_1', amount: '0.02' })).body).toMatchObject({
      amount: '0.02',
      still_due: '0',
    })
  })

  test('confirms deposits only by the control call, all of the order together', async () => {
    await chain.watch([order])
    await deposit({ order_id: 'ord_1', amount: '0.005', confirmations: 0 })
    await deposit({ order_id: 'ord_1', confirmations: 0 })
    const { status, body } = await confirm({ order_id: 'ord_1', confirmations: 2 })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      order_id: 'ord_1',
      confirmations: 2,
      deposits: [
        { amount: '0.005', confirmations: 2 },
        { amount: '0.01', confirmations: 2 },
      ],
    })
    const { deposits } = await chain.deposits({ after: 0, waitMs: 0 })
    expect(deposits.map(({ confirmations }) => confirmations)).toEqual([0, 0, 2, 2])
  })

  test('adds no entry to the log for a repeated confirmation', async () => {
    await chain.watch([order])
    await deposit({ order_id: 'ord_1', confirmations: 2 })
    await confirm({ order_id: 'ord_1', confirmations: 2 })
    expect((await chain.deposits({ after: 0, waitMs: 0 })).deposits).toHaveLength(1)
  })

  test('removes a deposit from its block at 0 confirmations', async () => {
    await chain.watch([order])
    await deposit({ order_id: 'ord_1', confirmations: 2 })
    await confirm({ order_id: 'ord_1', confirmations: 0 })
    expect((await chain.deposits({ after: 1, waitMs: 0 })).deposits).toMatchObject([
      { confirmations: 0, blockNumber: null },
    ])
  })

  test('names another asset of the network in a deposit and leaves the amount due', async () => {
    await chain.watch([{ ...order, network: 'ETH', asset: 'USDC', due: '20' }])
    const paid = await deposit({ order_id: 'ord_1', asset: 'USDT', amount: '5' })
    expect(paid.body).toMatchObject({ asset: 'USDT', amount: '5', still_due: '20' })
    expect((await chain.deposits({ after: 0, waitMs: 0 })).deposits).toMatchObject([
      { asset: 'USDT', amount: '5', address: order.address },
    ])
    expect(errorOf(await deposit({ order_id: 'ord_1', asset: 'USDT' }))).toMatchObject({
      status: 400,
      details: [{ field: 'amount', reason: 'required' }],
    })
    expect(errorOf(await deposit({ order_id: 'ord_1', asset: 'BTC', amount: '1' }))).toMatchObject({
      status: 400,
      details: [{ field: 'asset', reason: 'invalid_value', expected: 'one of: ETH, USDT, USDC' }],
    })
  })

  test('removes the deposits of the last blocks by a reorganisation, and mines them into a new one', async () => {
    await chain.watch([order])
    await deposit({ order_id: 'ord_1', amount: '0.005', confirmations: 2 })
    const { body: newest } = await deposit({ order_id: 'ord_1', amount: '0.01', confirmations: 2 })
    const blocks = (path: string, body: unknown) => control(sandbox, 'POST', `/control/chain/${path}`, body)
    expect((await blocks('reorganise', { network: 'BTC', blocks: 1 })).body).toEqual({
      network: 'BTC',
      blocks: 1,
      deposits: [
        { asset: 'BTC', tx_id: newest['tx_id'], amount: '0.01', confirmations: 0, block_number: null },
      ],
    })
    expect((await blocks('mine', { network: 'BTC', blocks: 3 })).body).toEqual({
      network: 'BTC',
      blocks: 3,
      block_number: 1_000_005,
    })
    const { deposits } = await chain.deposits({ after: 3, waitMs: 0 })
    expect(deposits.map(({ confirmations, blockNumber }) => [confirmations, blockNumber])).toEqual([
      [5, 1_000_001],
      [3, 1_000_003],
    ])
    expect(errorOf(await blocks('mine', { network: 'BTC', blocks: 0 }))).toMatchObject({ status: 400 })
    expect((await blocks('reorganise', { network: 'LTC', blocks: 9 })).body['deposits']).toEqual([])
  })

  test('waits for an order that is just being registered', async () => {
    const early = deposit({ order_id: 'ord_1' })
    await control(sandbox, 'GET', '/healthz')
    await chain.watch([order])
    expect((await early).status).toBe(200)
  })

  test('answers 404 after its time limit for an order that is never registered', async () => {
    await sandbox.stop()
    sandbox = await startSandbox({ timeoutFactor: 1 })
    const startedAt = performance.now()
    const answers = await Promise.all([
      deposit({ order_id: 'ord_9' }),
      confirm({ order_id: 'ord_9', confirmations: 1 }),
    ])
    // The bound is 3 s; whatever else would end the calls is longer than this.
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    for (const answer of answers) {
      expect(errorOf(answer)).toMatchObject({ status: 404, code: 'resource_not_found' })
      expect(errorOf(answer).message).toContain('The chain watches no order ord_9')
    }
  })

  test('has nothing to confirm for an order without a deposit', async () => {
    await chain.watch([order])
    expect(errorOf(await confirm({ order_id: 'ord_1', confirmations: 1 }))).toMatchObject({
      status: 409,
      code: 'nothing_to_confirm',
    })
  })

  test.each([
    [
      'an amount finer than the chain',
      { order_id: 'ord_1', amount: '0.000000001' },
      'amount',
      'invalid_value',
    ],
    ['an amount of zero', { order_id: 'ord_1', amount: 0 }, 'amount', 'invalid_value'],
    ['a negative amount', { order_id: 'ord_1', amount: '-1' }, 'amount', 'invalid_value'],
    ['an amount with an exponent', { order_id: 'ord_1', amount: '1e-3' }, 'amount', 'invalid_value'],
    ['an amount that is a list', { order_id: 'ord_1', amount: [1] }, 'amount', 'invalid_type'],
    ['negative confirmations', { order_id: 'ord_1', confirmations: -1 }, 'confirmations', 'too_small'],
    ['half a confirmation', { order_id: 'ord_1', confirmations: 0.5 }, 'confirmations', 'invalid_type'],
    ['no order', {}, 'order_id', 'required'],
    ['an unknown field', { order_id: 'ord_1', orderId: 'ord_1' }, 'orderId', 'unknown_field'],
    ['no JSON', '{', 'body', 'invalid_json'],
    ['a list', [], 'body', 'invalid_type'],
  ])('refuses a deposit with %s by field', async (_, body, field, reason) => {
    await chain.watch([order])
    expect(errorOf(await deposit(body))).toMatchObject({
      status: 400,
      code: 'invalid_request',
      details: [{ field, reason }],
    })
  })

  test('refuses the address of another order as a conflict, and registers nothing', async () => {
    await chain.watch([order])
    const other = { ...order, orderId: 'ord_2' }
    const fresh = { ...order, orderId: 'ord_3', address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu' }
    await expect(chain.watch([fresh, other])).rejects.toMatchObject({ failure: 'refused', retryable: false })
    await expect(chain.watch([{ ...order, due: '0.016' }])).rejects.toMatchObject({ failure: 'refused' })
    await chain.watch([{ ...fresh, due: '9' }])
  })

  test('answers a reader immediately whose cursor is past the end of a lost log', async () => {
    expect(await chain.deposits({ after: 50, waitMs: 20_000 })).toEqual({ deposits: [], next: 0 })
  })

  test('answers an unknown path in the same form', async () => {
    expect(errorOf(await control(sandbox, 'GET', '/control/nothing'))).toMatchObject({
      status: 404,
      code: 'resource_not_found',
    })
  })
})
