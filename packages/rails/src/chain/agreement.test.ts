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
    ['is the newest block of a single endpoint', ['abcde'], 'abcde'],
    ['is the newest block that both of two endpoints have', ['abcde', 'abc'], 'abc'],
    ['is a block that two of three endpoints have', ['abcdefgh', 'abcde', 'abc'], 'abcde'],
    ['is not that of a single endpoint that is behind', ['abcde', 'abcde', 'a'], 'abcde'],
    ['is not that of an endpoint on a fork, however long', ['abcXXXXXXXXX', 'abcde', 'abcde'], 'abcde'],
    ['is not invented by one endpoint', ['abcde', 'abcde', 'abcdefghXX'], 'abcde'],
    ['is the block before a race of two miners', ['abcdX', 'abcdY'], 'abcd'],
    ['is the block before a race whose end one endpoint has not seen', ['abcdXef', 'abcdY'], 'abcd'],
    ['is the block before a race of three blocks', ['abcdXXX', 'abcdYYY'], 'abcd'],
  ])('%s', async (_, chains, hash) => {
    expect(await agreementOf(...chains).head()).toEqual({ number: hash.length - 1, hash })
  })

  test('is a retryable error that names the endpoints when they are on different chains', async () => {
    const apart = agreementOf('abcdXXXXXXX', 'abcdYYYYYYY').head()
    await expect(apart).rejects.toThrow(
      'endpoints are on different chains: abcdXXXXXXX at 10, abcdYYYYYYY at 10',
    )
    await expect(apart).rejects.toMatchObject({ name: 'RailError', retryable: true })
  })

  test('is that of the endpoints that answer, if at least half do', async () => {
    expect(await agreementOf(silent, 'abc').head()).toEqual({ number: 2, hash: 'abc' })
    await expect(agreementOf(silent, silent).head()).rejects.toMatchObject({ failure: 'timeout' })
    await expect(agreementOf(silent, silent, 'abc').head()).rejects.toMatchObject({ failure: 'timeout' })
  })
})

describe('the block of a height', () => {
  test('is known once more than half of the answering endpoints have it', async () => {
    expect(await hashAt(3, 'abcd')).toBe('abcd')
    expect(await hashAt(3, 'abcd', 'abc')).toBeNull()
    expect(await hashAt(3, 'abcd', 'abc', 'abc')).toBeNull()
    expect(await hashAt(3, 'abcd', 'abcd', 'abc')).toBe('abcd')
    expect(await hashAt(3, 'abcd', 'abcd', 'abcX')).toBe('abcd')
    expect(await hashAt(3, silent, 'abcd')).toBe('abcd')
    expect(await hashAt(3, silent, 'abcd', 'abc')).toBeNull()
    await expect(hashAt(3, silent, silent, 'abcd')).rejects.toMatchObject({ failure: 'timeout' })
  })

  test('is unknown while miners race for it, and an error when chains have diverged', async () => {
    expect(await hashAt(3, 'abcX', 'abcY')).toBeNull()
    await expect(hashAt(3, 'abcXXXXXXX', 'abcYYYYYYY')).rejects.toThrow('different chains')
  })
})
