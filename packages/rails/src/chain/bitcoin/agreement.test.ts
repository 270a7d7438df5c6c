import { describe, expect, test } from '@jest/globals'
import { RailError } from '../../rail-error.ts'
import { createEndpoints } from '../endpoints.ts'
import { createAgreement } from './agreement.ts'
import type { BitcoinEndpoint } from './endpoint.ts'

/** An endpoint whose chain is a text: a letter a block, from height 0. */
const endpointOf = (chain: string): BitcoinEndpoint => {
  const hashAt = (number: number) => (number < chain.length ? chain.slice(0, number + 1) : null)
  const unused = () => Promise.reject(new Error('not asked for'))
  return {
    name: chain,
    setting: 'BTC_NODE_URLS',
    mempoolReads: 0,
    isDownloading: unused,
    tip: async () => ({ number: chain.length - 1, hash: chain }),
    hashAt: async (number) => hashAt(number),
    header: unused,
    block: unused,
    mempool: unused,
    transactions: unused,
    close: () => Promise.resolve(),
  }
}
const silent: BitcoinEndpoint = {
  ...endpointOf('silent'),
  tip: () => Promise.reject(new RailError('timeout', 'silent')),
  hashAt: () => Promise.reject(new RailError('timeout', 'silent')),
}
const agreementOf = (...chains: readonly (string | BitcoinEndpoint)[]) =>
  createAgreement(
    createEndpoints(chains.map((chain) => (typeof chain === 'string' ? endpointOf(chain) : chain))),
  )

describe('the head', () => {
  test.each([
    ['of one endpoint is its own', ['abcde'], 'abcde'],
    ['of two that agree is the newer one', ['abcde', 'abc'], 'abcde'],
    ['of three is one that two of them have', ['abcdefgh', 'abcde', 'abc'], 'abcde'],
    ['is not that of a single one that is behind', ['abcde', 'abcde', 'a'], 'abcde'],
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

  test('is that of those that answer', async () => {
    expect(await agreementOf(silent, 'abc').head()).toEqual({ number: 2, hash: 'abc' })
    await expect(agreementOf(silent, silent).head()).rejects.toMatchObject({ failure: 'timeout' })
  })
})

describe('the block of a height', () => {
  test('is there once half of the endpoints have it', async () => {
    expect(await agreementOf('abcd', 'abc').hashAt(3)).toBe('abcd')
    expect(await agreementOf('abcd', 'abc', 'abc').hashAt(3)).toBeNull()
    expect(await agreementOf('abcd', 'abcd', 'abc').hashAt(3)).toBe('abcd')
    expect(await agreementOf(silent, 'abcd').hashAt(3)).toBe('abcd')
  })

  test('is not there while miners race for it, and an error when chains have parted', async () => {
    expect(await agreementOf('abcX', 'abcY').hashAt(3)).toBeNull()
    await expect(agreementOf('abcXXXXXXX', 'abcYYYYYYY').hashAt(3)).rejects.toThrow('different chains')
  })
})
