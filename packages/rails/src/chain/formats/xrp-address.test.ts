import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { decodeClassicAddress, decodeXAddress, encodeXAddress } from './xrp-address.ts'

/** The test vectors of the XRP Ledger's address codec, main network. */
const VECTORS: [string, number, string][] = [
  ['r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59', 1, 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu'],
  ['rpZc4mVfWUif9CRoHRKKcmhu1nx2xktxBo', 58, 'X7YenJqxv3L66CwhBSfd3N8RzGXxYqV56ZkTCa9UCzgaao1'],
  ['rsA2LpzuawewSBQXkiju3YQTMzW13pAAdW', 23480, 'X7d3eHCXzwBeWrZec1yT24iZerQjYL8m8zCJ16ACxu1BrBY'],
  ['rsA2LpzuawewSBQXkiju3YQTMzW13pAAdW', 11747, 'X7d3eHCXzwBeWrZec1yT24iZerQjYLo2CJf8oVC5CMWey5m'],
  ['rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf', 0, 'XVLhHMPHU98es4dbozjVtdWzVrDjtV8AqEL4xcZj5whKbmc'],
  ['rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf', 1, 'XVLhHMPHU98es4dbozjVtdWzVrDjtV8xvjGQTYPiAx6gwDC'],
  ['rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf', 2, 'XVLhHMPHU98es4dbozjVtdWzVrDjtV8zpDURx7DzBCkrQE7'],
]

const accountOf = (classic: string): Uint8Array => {
  const account = decodeClassicAddress(classic)
  if (!account) throw new Error('not a classic address')
  return account
}

describe('X-address', () => {
  test.each(VECTORS)('encodes %s with tag %i as the published %s', (classicAddress, tag, xAddress) => {
    expect(encodeXAddress(accountOf(classicAddress), tag)).toBe(xAddress)
    expect(decodeXAddress(xAddress)).toEqual({ classicAddress, tag })
  })

  test("spells every account and tag as the ledger's own library does", async () => {
    const codec = await import('ripple-address-codec')
    const anAccount = fc.uint8Array({ minLength: 20, maxLength: 20 })
    fc.assert(
      fc.property(anAccount, fc.integer({ min: 0, max: 2 ** 32 - 1 }), (account, tag) => {
        const xAddress = codec.encodeXAddress(account, tag, false)
        const classicAddress = codec.encodeAccountID(account)
        expect(encodeXAddress(account, tag)).toBe(xAddress)
        expect(decodeXAddress(xAddress)).toEqual({ classicAddress, tag })
        expect(accountOf(classicAddress)).toEqual(account)
      }),
    )
  })

  test('is refused with any single wrong character', () => {
    const [, , xAddress] = VECTORS[0] ?? ['', 0, '']
    fc.assert(
      fc.property(
        fc.nat(xAddress.length - 1),
        fc.constantFrom(...Array.from('rpshnaf39wBUDNEGHJKLM4')),
        (at, character) => {
          fc.pre(xAddress.charAt(at) !== character)
          const mistyped = xAddress.slice(0, at) + character + xAddress.slice(at + 1)
          expect(() => decodeXAddress(mistyped)).toThrow(RangeError)
        },
      ),
    )
  })

  test.each([
    ['without a tag', 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ'],
    ['of the test network', 'T719a5UwUCnEs54UsxG9CJYYDhwmFCqkr7wxCcNcfZ6p5GZ'],
    ['classic', 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59'],
    ['empty', ''],
  ])('is refused when it is %s', (_, address) => {
    expect(() => decodeXAddress(address)).toThrow(RangeError)
  })
})
