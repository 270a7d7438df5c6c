import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { ChainAdapter } from './adapter.ts'
import { createSandboxChainAdapter } from './sandbox-adapter.ts'

const deposit = {
  seq: 7,
  network: 'BTC',
  asset: 'BTC',
  address: 'bc1q',
  tx_id: 'ab',
  output_index: 1,
  amount: '0.5',
  confirmations: 2,
  block_number: 100,
  block_hash: 'cd',
}

describe('sandbox chain adapter', () => {
  let server: Server
  let adapter: ChainAdapter
  let answer: unknown
  let asked: (string | undefined)[]

  beforeEach(async () => {
    asked = []
    server = createServer((request, response) => {
      asked.push(request.url)
      response.end(JSON.stringify(answer))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    adapter = createSandboxChainAdapter({ baseUrl: `http://127.0.0.1:${port}/`, timeoutMs: 120_000 })
  })
  afterEach(async () => {
    await adapter.close()
    await new Promise((resolve) => server.close(resolve))
  })

  test('sends the query unchanged, and returns the answer in the terms of the platform', async () => {
    answer = { deposits: [deposit], next: 7 }
    expect(await adapter.deposits({ network: 'BTC', after: 6, waitMs: 5 })).toEqual({
      deposits: [
        {
          seq: 7,
          network: 'BTC',
          asset: 'BTC',
          address: 'bc1q',
          txId: 'ab',
          outputIndex: 1,
          amount: '0.5',
          confirmations: 2,
          blockNumber: 100,
          blockHash: 'cd',
        },
      ],
      next: 7,
    })
    expect(asked).toEqual(['/chain/deposits?after=6&wait_ms=5&network=BTC'])
  })

  test.each([
    ['a negative amount', { deposits: [{ ...deposit, amount: '-1' }], next: 7 }],
    ['an amount that is a number', { deposits: [{ ...deposit, amount: 0.5 }], next: 7 }],
    ['an unknown network', { deposits: [{ ...deposit, network: 'DOGE' }], next: 7 }],
    ['no next', { deposits: [] }],
    ['half a confirmation', { deposits: [{ ...deposit, confirmations: 1.5 }], next: 7 }],
  ])('rejects an answer with %s', async (_, given) => {
    answer = given
    await expect(adapter.deposits({ after: 0, waitMs: 0 })).rejects.toMatchObject({
      failure: 'malformed',
      retryable: false,
    })
  })

  test('sends no call with more watches than it may carry', async () => {
    const entry = { orderId: 'ord_1', network: 'BTC', asset: 'BTC', address: 'bc1q', due: '1' } as const
    await expect(adapter.watch(Array.from({ length: 1_001 }, () => entry))).rejects.toThrow(RangeError)
    expect(asked).toEqual([])
  })
})
