import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type JsonRpcServer, CUT, startJsonRpcServer, type Tamper } from '../../../tests/json-rpc-server.ts'
import { type EsploraServer, startEsploraServer } from '../../../tests/bitcoin/esplora-server.ts'
import {
  createMinedChain,
  idOf,
  type MinedChain,
  REGTEST_GENESIS,
  spentBy,
  transactionOf,
} from '../../../tests/bitcoin/mined-chain.ts'
import type { BlockHeader, BlockSource } from '../../chains.ts'
import { createDestinations } from '../destinations.ts'
import { SANDBOX_ACCOUNTS } from '../networks.ts'
import { createBitcoinBlockSource } from './block-source.ts'

const BTC = { network: 'BTC', chain: 'regtest', timeoutMs: TEST_DEADLINE_MS } as const
const { derive } = createDestinations(SANDBOX_ACCOUNTS, { BTC: 'regtest' })
const OURS = derive('BTC', 1).address
const PAYMENT = transactionOf([[OURS, 123_456_789n]])
const PAID = {
  ...{ asset: 'BTC', address: OURS, txId: idOf(PAYMENT), outputIndex: 0, amount: '1.23456789' },
  spends: [spentBy(PAYMENT)],
}

let chain: MinedChain
let honest: JsonRpcServer
let liar: JsonRpcServer
let esplora: EsploraServer
const opened: BlockSource[] = []
const sourceAt = (
  nodeUrls: readonly string[],
  options: Partial<typeof BTC> & { esploraUrls?: string[] } = {},
) => {
  const source = createBitcoinBlockSource({ ...BTC, nodeUrls, ...options })
  opened.push(source)
  return source
}

beforeEach(async () => {
  chain = createMinedChain()
  ;[honest, liar, esplora] = await Promise.all([
    startJsonRpcServer(chain),
    startJsonRpcServer(chain),
    startEsploraServer(chain),
  ])
  for (let block = 0; block < 3; block++) chain.mine(transactionOf([[derive('BTC', 99).address, 1n]]))
  chain.mine(PAYMENT)
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((source) => source.close()))
  await Promise.all([honest.stop(), liar.stop(), esplora.stop()])
})

const newest = async (source: BlockSource): Promise<BlockHeader> => (await source.next(3)) as BlockHeader

describe('Bitcoin', () => {
  test('reads the same from a node and an Esplora server together as from each alone', async () => {
    for (const source of [
      sourceAt([honest.url]),
      sourceAt([], { esploraUrls: [esplora.url] }),
      sourceAt([honest.url], { esploraUrls: [esplora.url] }),
    ]) {
      await source.verify()
      const head = await source.head()
      expect(head).toEqual(await newest(source))
      expect(head.number).toBe(4)
      expect(await source.transfers(head)).toEqual([PAID])
      expect(await source.next(4)).toBeNull()
    }
  })

  test('reads pending transactions once, and again when they return', async () => {
    const source = sourceAt([honest.url])
    const asked: unknown[] = []
    honest.tamper((method, result, params) => {
      if (method === 'getrawtransaction') asked.push(params[0])
      return result
    })
    chain.waiting.push(PAYMENT)
    expect(await source.pending()).toEqual([PAID])
    expect(await source.pending()).toEqual([PAID])
    expect(asked).toEqual([PAID.txId])
    chain.waiting.length = 0
    expect(await source.pending()).toEqual([])
    chain.waiting.push(PAYMENT)
    expect(await source.pending()).toEqual([PAID])
    expect(asked).toHaveLength(2)
  })

  test('skips a waiting transaction that disappeared before it was read, and reads the others of its batch', async () => {
    const gone = transactionOf([[OURS, 1n]])
    chain.waiting.push(PAYMENT)
    honest.tamper((method, result) => (method === 'getrawmempool' ? [idOf(gone), PAID.txId] : result))
    expect(await sourceAt([honest.url]).pending()).toEqual([PAID])
  })
})

/** Ways in which an endpoint falsifies its responses. */
const FALSIFICATIONS: readonly (readonly [string, Tamper])[] = [
  [
    'a block without its last transaction',
    (method, result) => (method === 'getblock' ? withoutPayment(String(result)) : result),
  ],
  ['a block cut short', (method, result) => (method === 'getblock' ? String(result).slice(0, -40) : result)],
  ['another block', (method, result) => (method === 'getblock' ? otherBlock() : result)],
  ['another header', (method, result) => (method === 'getblockheader' ? otherBlock().slice(0, 160) : result)],
  ['half an answer', (method, result) => (method === 'getblock' ? CUT : result)],
  ['null', (method, result) => (method === 'getblock' ? null : result)],
  ['a text that is no hex', (method, result) => (method === 'getblockheader' ? 'zz' : result)],
]
const withoutPayment = (hex: string) =>
  `${hex.slice(0, 160)}01${hex.slice(162).slice(0, -PAYMENT.length * 2)}`
const otherBlock = (): string => createMinedChain().mine(PAYMENT).bytes.toString('hex')

describe('an endpoint that falsifies its responses', () => {
  const read = async (source: BlockSource) => source.transfers(await newest(source))

  test.each(FALSIFICATIONS)(
    'fails with a RailError for %s, and changes nothing when another endpoint is honest',
    async (_, tamper) => {
      liar.tamper(tamper)
      await expect(read(sourceAt([liar.url]))).rejects.toMatchObject({ name: 'RailError' })
      expect(await read(sourceAt([liar.url, honest.url]))).toEqual([PAID])
    },
  )

  test('does not delay two others by a stale head', async () => {
    liar.tamper((method, result) => {
      const stale = { blocks: 1, bestblockhash: '', initialblockdownload: false }
      return method === 'getblockchaininfo'
        ? { ...stale, bestblockhash: (result as typeof stale).bestblockhash }
        : result
    })
    const esploraUrls = [esplora.url]
    await expect(sourceAt([liar.url, honest.url], { esploraUrls }).head()).resolves.toMatchObject({
      number: 4,
    })
  })

  test('fails with a RailError for another transaction under an id of the mempool', async () => {
    chain.waiting.push(PAYMENT)
    liar.tamper((method, result) =>
      method === 'getrawtransaction' ? transactionOf([[OURS, 9n]]).toString('hex') : result,
    )
    await expect(sourceAt([liar.url]).pending()).rejects.toThrow(
      `returned another transaction for ${PAID.txId}`,
    )
    expect(await sourceAt([liar.url, honest.url]).pending()).toEqual([PAID])
  })

  test('fails with an error that names both endpoints, and returns no block, for a different chain', async () => {
    const own = createMinedChain()
    const forger = await startJsonRpcServer(own)
    for (let block = 0; block < 9; block++) own.mine()
    for (let block = 0; block < 5; block++) chain.mine()
    const source = sourceAt([honest.url, forger.url])
    await expect(source.head()).rejects.toThrow('endpoints are on different chains')
    await expect(source.next(3)).rejects.toMatchObject({ retryable: true })
    await forger.stop()
  })
})

describe('settings', () => {
  test('name an endpoint of another chain with its setting', async () => {
    await expect(sourceAt([honest.url], { chain: 'main' as 'regtest' }).verify()).rejects.toThrow(
      `BTC_NODE_URLS: ${new URL(honest.url).host} is not on the chain main of BTC; check BTC_CHAIN`,
    )
    await expect(
      sourceAt([], { chain: 'signet' as 'regtest', esploraUrls: [esplora.url] }).verify(),
    ).rejects.toThrow('BTC_ESPLORA_URLS')
  })

  test('refuse a node at the start that still downloads blocks', async () => {
    honest.tamper((method, result) =>
      method === 'getblockchaininfo' ? { ...(result as object), initialblockdownload: true } : result,
    )
    await expect(sourceAt([honest.url]).verify()).rejects.toThrow('still downloading blocks')
  })

  test('allow a start without an endpoint that does not answer, and cause a RailError without any endpoint', async () => {
    await liar.stop()
    await sourceAt([liar.url, honest.url]).verify()
    await expect(sourceAt([liar.url]).verify()).rejects.toMatchObject({
      name: 'RailError',
      failure: 'unreachable',
    })
  })

  test('require the chain of an endpoint that was down at the start before its answers are used', async () => {
    let isDown = true
    liar.tamper((method, result) => {
      if (isDown) return CUT
      if (method === 'getblockhash' && result === REGTEST_GENESIS) return 'ab'.repeat(32)
      return method === 'getrawmempool' ? [] : result
    })
    chain.waiting.push(PAYMENT)
    const [source, alone] = [sourceAt([liar.url, honest.url]), sourceAt([liar.url])]
    await source.verify()
    await expect(alone.verify()).rejects.toMatchObject({ name: 'RailError', retryable: true })
    isDown = false
    expect(await source.pending()).toEqual([PAID])
    expect(await source.head()).toMatchObject({ number: 4 })
    for (const asked of [alone.pending(), alone.head(), alone.next(3)])
      await expect(asked).rejects.toThrow('is not on the chain regtest of BTC; check BTC_CHAIN')
    await expect(alone.verify()).rejects.toMatchObject({ name: 'Error' })
  })

  test('name the setting for a missing and for an invalid address', () => {
    expect(() => sourceAt([])).toThrow('Set addresses in BTC_NODE_URLS or BTC_ESPLORA_URLS')
    expect(() => sourceAt([honest.url, 'secret'])).toThrow(
      'BTC_NODE_URLS: address 2 is not an http or https address',
    )
  })
})
