import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  blockOf,
  idOf,
  newCoinbase,
  REGTEST_GENESIS,
  transactionOf,
} from '../../../tests/bitcoin/mined-chain.ts'
import { createDestinations } from '../destinations.ts'
import { SANDBOX_ACCOUNTS } from '../networks.ts'
import { parseBlock } from './block.ts'
import { hashText } from './hashes.ts'
import { InvalidBlockError, parseHeader } from './header.ts'
import { parametersOf } from './parameters.ts'
import { addressOf } from './script-address.ts'
import { parseTransaction } from './transaction.ts'

const REGTEST = parametersOf('BTC', 'regtest')
const { derive } = createDestinations(SANDBOX_ACCOUNTS, { BTC: 'regtest' })
const to = (index: number) => derive('BTC', index).address
const NUMBER = 200

const coinbase = newCoinbase(NUMBER)
const payments = [
  transactionOf([
    [to(1), 5_000n],
    [to(2), 1n],
    [to(1), 2_100_000_000_000_000n],
  ]),
  transactionOf([[to(3), 77n]], { legacy: true }),
  transactionOf([[to(4), 88n]]),
]
const block = blockOf([coinbase, ...payments], { parent: REGTEST_GENESIS })
const parse = (bytes: Buffer, hash = block.hash, number = NUMBER) =>
  parseBlock(bytes, { hash, number }, REGTEST)
/** Ids and outputs, as texts. */
const shown = (bytes: Buffer) =>
  parse(bytes).map(({ hash, outputs }) => [
    hashText(hash),
    outputs.map(({ value, script }) => `${value} ${addressOf(script, REGTEST)}`),
  ])
const refuses = (bytes: Buffer) => () => {
  try {
    parse(bytes)
    return 'taken'
  } catch (error) {
    if (error instanceof InvalidBlockError) return 'refused'
    throw error
  }
}

describe('a block', () => {
  test('is read as the library reads it, in every form of its transactions', () => {
    expect(shown(block.bytes)).toEqual([
      [idOf(coinbase), ['50 null']],
      [idOf(payments[0] as Buffer), [`5000 ${to(1)}`, `1 ${to(2)}`, `2100000000000000 ${to(1)}`]],
      [idOf(payments[1] as Buffer), [`77 ${to(3)}`]],
      [idOf(payments[2] as Buffer), [`88 ${to(4)}`]],
    ])
  })

  test('is refused with any byte changed, or has the same transfers if only a witness changed', () => {
    const genuine = shown(block.bytes)
    fc.assert(
      fc.property(fc.nat(block.bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bytes = Buffer.from(block.bytes)
        bytes[at] = (bytes[at] ?? 0) ^ change
        if (refuses(bytes)() === 'taken') expect(shown(bytes)).toEqual(genuine)
      }),
      { numRuns: 2_000 },
    )
  })

  test('is refused when cut at any byte, or with bytes after its end', () => {
    for (let length = 0; length < block.bytes.length; length++)
      expect(refuses(block.bytes.subarray(0, length))()).toBe('refused')
    expect(refuses(Buffer.concat([block.bytes, Buffer.alloc(1)]))()).toBe('refused')
  })

  test.each([
    ['one left out', [coinbase, ...payments.slice(1)]],
    ['one added', [coinbase, ...payments, transactionOf([[to(9), 9n]])]],
    ['two exchanged', [coinbase, ...payments.toReversed()]],
    ['the coinbase alone', [coinbase]],
  ])('is refused with the header of another list of transactions (%s)', (_, transactions) => {
    const other = blockOf(transactions, { parent: REGTEST_GENESIS })
    expect(refuses(Buffer.concat([block.bytes.subarray(0, 80), other.bytes.subarray(80)]))()).toBe('refused')
  })

  test('is refused when its last transactions occur twice under the same merkle root (CVE-2012-2459)', () => {
    const three = [coinbase, ...payments.slice(0, 2)]
    const short = blockOf(three, { parent: REGTEST_GENESIS })
    const long = blockOf([...three, payments[1] as Buffer], { parent: REGTEST_GENESIS })
    expect(short.hash).toBe(long.hash)
    expect(parse(short.bytes, short.hash)).toHaveLength(3)
    expect(() => parse(long.bytes, short.hash)).toThrow(InvalidBlockError)
  })

  test.each([
    ['no coinbase first', payments],
    ['a second coinbase', [coinbase, newCoinbase(NUMBER), ...payments]],
    ['the coinbase last', [...payments, coinbase]],
  ])('is refused with %s', (_, transactions) => {
    const other = blockOf(transactions, { parent: REGTEST_GENESIS })
    expect(() => parse(other.bytes, other.hash)).toThrow('does not begin with its only coinbase')
  })

  test('is refused at another height, or with another hash', () => {
    expect(() => parse(block.bytes, block.hash, NUMBER + 1)).toThrow(`has the height ${NUMBER}`)
    expect(() => parse(block.bytes, REGTEST_GENESIS)).toThrow(`has the hash ${block.hash}`)
  })

  test('is refused without the work that it claims, or that its chain requires', () => {
    const idle = blockOf([coinbase], { parent: REGTEST_GENESIS, wrongWork: true, bits: 0x1f00ffff })
    expect(() => parse(idle.bytes, idle.hash)).toThrow('shows not the work that it claims')
    const cheap = () =>
      parseBlock(block.bytes, { hash: block.hash, number: NUMBER }, parametersOf('BTC', 'main'))
    expect(cheap).toThrow('shows less work than its chain requires')
  })
})

describe('a header', () => {
  const genesisHeader = (merkleRoot: string, time: number, bits: number, nonce: number) => {
    const header = Buffer.alloc(80)
    header.writeUInt32LE(1, 0)
    Buffer.from(merkleRoot, 'hex').reverse().copy(header, 36)
    for (const [at, value] of [time, bits, nonce].entries()) header.writeUInt32LE(value, 68 + 4 * at)
    return header
  }
  const BTC = genesisHeader(
    '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b',
    1_231_006_505,
    0x1d00ffff,
    2_083_236_893,
  )
  const LTC = genesisHeader(
    '97ddfbbae6be97fd6cdf3e7ca13232a3afff2353e29badfab7f73011edd4ced9',
    1_317_972_665,
    0x1e0ffff0,
    2_084_524_493,
  )

  test.each([
    ['BTC', BTC, 1n << 32n],
    ['LTC', LTC, 1n << 20n],
  ] as const)('proves the work of the first block of the main chain of %s', (network, bytes, leastHashes) => {
    const main = parametersOf(network, 'main')
    const hash = main.genesis[0] as string
    expect(parseHeader(bytes, hash, { ...main, leastHashes })).toMatchObject({
      hash,
      parentHash: '0'.repeat(64),
    })
    expect(() => parseHeader(bytes, hash, main)).toThrow('less work than its chain requires')
  })

  test('proves its work on LTC by scrypt, not by the block hash', () => {
    const main = parametersOf('LTC', 'main')
    const hash = main.genesis[0] as string
    expect(() => parseHeader(LTC, hash, { ...main, leastHashes: 1n, work: 'double-sha256' })).toThrow(
      'not the work that it claims',
    )
  })
})

test('computes the same id of a single transaction as the library, also with unknown data after its outputs', () => {
  for (const transaction of payments)
    expect(hashText(parseTransaction(transaction).hash)).toBe(idOf(transaction))
  const [first = Buffer.alloc(0)] = payments
  const withMweb = Buffer.concat([
    first.subarray(0, 5),
    Buffer.from([0x09]),
    first.subarray(6, -4),
    Buffer.alloc(99, 7),
    first.subarray(-4),
  ])
  expect(hashText(parseTransaction(withMweb).hash)).toBe(idOf(first))
})
