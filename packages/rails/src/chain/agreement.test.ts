import { describe, expect, test } from '@jest/globals'
import { RailError } from '../rail-error.ts'
import { createAgreement } from './agreement.ts'
import { createEndpoints } from './endpoints.ts'

type Block = Readonly<{ number: number; hash: string }>
type ChainEndpoint = Readonly<{
  name: string
  tip: () => Promise<Block>
  at: (number: number) => Promise<Block | null>
  close: () => Promise<void>
}>

/** An endpoint whose chain is a text: a letter a block, from height 0. */
const endpointOf = (chain: string): ChainEndpoint => ({
  name: chain,
  tip: async () => ({ number: chain.length - 1, hash: chain }),
  at: async (number) => (number < chain.length ? { number, hash: chain.slice(0, number + 1) } : null),
  close: () => Promise.resolve(),
})
const silent: ChainEndpoint = {
  ...endpointOf('silent'),
  tip: () => Promise.reject(new RailError('timeout', 'silent')),
  at: () => Promise.reject(new RailError('timeout', 'silent')),
}
const agreementOf = (...chains: readonly (string | ChainEndpoint)[]) =>
  createAgreement({
    all: createEndpoints(chains.map((chain) => (typeof chain === 'string' ? endpointOf(chain) : chain))).all,
    tip: (endpoint) => endpoint.tip(),
    at: (endpoint, number) => endpoint.at(number),
  })
const hashAt = async (number: number, ...chains: readonly (string | ChainEndpoint)[]) =>
  (await agreementOf(...chains).at(number))?.hash ?? null

describe('the head', () => {
  test.each([
    ['of one endpoint is its own', ['abcde'], 'abcde'],
    ['of two is the newest that both have', ['abcde', 'abc'], 'abc'],
    ['of three is one that two of them have', ['abcdefgh', 'abcde', 'abc'], 'abcde'],
    ['is not that of a single one that is behind', ['abcde', 'abcde', 'a'], 'abcde'],
    ['is not that of one on a fork, however long', ['abcXXXXXXXXX', 'abcde', 'abcde'], 'abcde'],
    ['is not invented by one', ['abcde', 'abcde', 'abcdefghXX'], 'abcde'],
    ['in a race of two miners is the block before it', ['abcdX', 'abcdY'], 'abcd'],
    ['in a race that one has not seen the end of is the block before it', ['abcdXef', 'abcdY'], 'abcd'],
    ['in a race of three blocks is the block before it', ['abcdXXX', 'abcdYYY'], 'abcd'],
  ])('%s', async (_, chains, hash) => {
    expect(await agreementOf(...chains).head()).toEqual({ number: hash.length - 1, hash })
  })

  test('of endpoints on different chains is a retryable error that names them', async () => {
    const apart = agreementOf('abcdXXXXXXX', 'abcdYYYYYYY').head()
    await expect(apart).rejects.toThrow(
      'endpoints are on different chains: abcdXXXXXXX at 10, abcdYYYYYYY at 10',
    )
    await expect(apart).rejects.toMatchObject({ name: 'RailError', retryable: true })
  })

  test('is that of those that answer, at least half of all', async () => {
    expect(await agreementOf(silent, 'abc').head()).toEqual({ number: 2, hash: 'abc' })
    await expect(agreementOf(silent, silent).head()).rejects.toMatchObject({ failure: 'timeout' })
    await expect(agreementOf(silent, silent, 'abc').head()).rejects.toMatchObject({ failure: 'timeout' })
  })
})

describe('the block of a height', () => {
  test('is there once more than half of those that answer have it', async () => {
    expect(await hashAt(3, 'abcd')).toBe('abcd')
    expect(await hashAt(3, 'abcd', 'abc')).toBeNull()
    expect(await hashAt(3, 'abcd', 'abc', 'abc')).toBeNull()
    expect(await hashAt(3, 'abcd', 'abcd', 'abc')).toBe('abcd')
    expect(await hashAt(3, 'abcd', 'abcd', 'abcX')).toBe('abcd')
    expect(await hashAt(3, silent, 'abcd')).toBe('abcd')
    expect(await hashAt(3, silent, 'abcd', 'abc')).toBeNull()
    await expect(hashAt(3, silent, silent, 'abcd')).rejects.toMatchObject({ failure: 'timeout' })
  })

  test('is not there while miners race for it, and an error when chains have parted', async () => {
    expect(await hashAt(3, 'abcX', 'abcY')).toBeNull()
    await expect(hashAt(3, 'abcXXXXXXX', 'abcYYYYYYY')).rejects.toThrow('different chains')
  })
})
