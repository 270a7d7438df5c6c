import { describe, expect, test } from '@jest/globals'
import { NETWORKS, type Network } from '@causeway/contracts'
import { createDestinations } from './destinations.ts'
import { canonicalAddress } from './canonical-address.ts'
import { isRecipient, isUnspendable, networkOf, SANDBOX_ACCOUNTS } from './networks.ts'

/** Addresses of the documents that define their forms, and of the networks' own examples. */
const GOOD: readonly (readonly [Network, string])[] = [
  ['BTC', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
  ['BTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['BTC', 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'],
  ['BTC', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  ['BTC', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['BTC', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ['LTC', 'LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1'],
  ['ETH', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['ETH', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ['SOL', '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv'],
  ['XRP', 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59'],
  ['XRP', 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu'],
]
const BAD: readonly (readonly [Network, string, string])[] = [
  ['BTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', 'a wrong character'],
  ['BTC', 'bc1Qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'both cases'],
  ['BTC', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'the test network'],
  ['BTC', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'the test network'],
  ['BTC', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', 'a wrong character'],
  ['BTC', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', 'version 1 in Bech32'],
  ['LTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'another network'],
  ['LTC', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'another network'],
  ['ETH', '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'a wrong checksum'],
  ['ETH', '0x0000000000000000000000000000000000000000', 'nobody'],
  ['ETH', '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', 'no prefix'],
  ['SOL', '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXAr', 'too short'],
  ['XRP', 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk58', 'a wrong character'],
  ['XRP', 'T7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ', 'the test network'],
]

describe('an address that money is sent to', () => {
  test.each(GOOD)('is accepted on %s: %s', (network, address) => {
    expect(isRecipient(network, address)).toBe(true)
  })

  test.each(BAD)('is refused on %s: %s (%s)', (network, address) => {
    expect(isRecipient(network, address)).toBe(false)
  })

  test('accepts an address on its own network only, and accepts every address that the platform derives', () => {
    const destinations = createDestinations(SANDBOX_ACCOUNTS)
    for (const network of NETWORKS) {
      const { address } = destinations.derive(network, 7)
      expect(NETWORKS.filter((other) => isRecipient(other, address))).toEqual([network])
    }
  })

  test('is reported as unspendable when nobody can send from it or it is a token contract, in any spelling', () => {
    for (const network of NETWORKS)
      for (const address of networkOf(network).unspendable) {
        expect([address, isRecipient(network, address), canonicalAddress(network, address)]).toEqual([
          address,
          true,
          address,
        ])
        expect(isUnspendable(network, address)).toBe(true)
      }
    expect(isUnspendable('ETH', '0x000000000000000000000000000000000000dead')).toBe(true)
    expect(isUnspendable('ETH', '0xdac17f958d2ee523a2206206994597c13d831ec7')).toBe(true)
    const contract = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
    const chains = { ETH: { chainId: 5, tokens: { USDC: contract } } }
    expect([isUnspendable('ETH', contract), isUnspendable('ETH', contract, chains)]).toEqual([false, true])
    expect(GOOD.filter(([network, address]) => isUnspendable(network, address))).toEqual([])
  })

  test.each(['', ' ', 'r', '0x', 'bc1', 'é'.repeat(30), '1'.repeat(400)])('rejects %j', (text) => {
    expect(NETWORKS.filter((network) => isRecipient(network, text))).toEqual([])
  })
})
