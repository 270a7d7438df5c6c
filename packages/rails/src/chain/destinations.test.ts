import { describe, expect, test } from '@jest/globals'
import { base58 } from '@scure/base'
import { HARDENED_OFFSET, HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { Address, NETWORK, p2wpkh } from '@scure/btc-signer'
import fc from 'fast-check'
import { mnemonicToAccount } from 'viem/accounts'
import { getAddress, isAddress } from 'viem/utils'
import { createDestinations, type Destinations } from './destinations.ts'
import { childPublicKey, externalChain, ExtendedKeyError } from './formats/extended-key.ts'
import { SANDBOX_ACCOUNTS } from './networks.ts'
import { decodeXAddress } from './formats/xrp-address.ts'
import { openSeedKeys } from './transfers/seed-keys.ts'

const TEST_MNEMONIC =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
const LITECOIN = { ...NETWORK, bech32: 'ltc' }
const anIndex = fc.integer({ min: 1, max: 2 ** 31 - 1 })
/** The generation on chain 3 of an account. */
const THIRD = 2 * 2 ** 31
const destinations = createDestinations(SANDBOX_ACCOUNTS)
const root = HDKey.fromMasterSeed(mnemonicToSeedSync(TEST_MNEMONIC))

describe('published vectors', () => {
  test('derives the second BTC receiving address of BIP-84', () => {
    expect(destinations.derive('BTC', 1).address).toBe('bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g')
  })

  test("derives the first BTC receiving key of BIP-84 as child 0 of the account's external chain", () => {
    const chain = externalChain(SANDBOX_ACCOUNTS.BTC, ['zpub'])
    expect(Buffer.from(childPublicKey(chain, 0, true)).toString('hex')).toBe(
      '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c',
    )
  })

  test('derives the second BIP-44 address of the test mnemonic for ETH, in EIP-55 spelling', () => {
    expect(destinations.derive('ETH', 1).address).toBe('0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0')
  })

  test('derives the X-address of the XRP Ledger documentation', () => {
    const documented = createDestinations({ ...SANDBOX_ACCOUNTS, XRP: 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf' })
    expect(documented.derive('XRP', 1).address).toBe('XVLhHMPHU98es4dbozjVtdWzVrDjtV8xvjGQTYPiAx6gwDC')
  })
})

describe('derivation', () => {
  test('uses the accounts of the test mnemonic for the sandbox', () => {
    const external = (path: string) => root.derive(`${path}/0`).publicKey
    expect(externalChain(SANDBOX_ACCOUNTS.BTC, ['zpub']).publicKey).toEqual(external("m/84'/0'/0'"))
    expect(externalChain(SANDBOX_ACCOUNTS.LTC, ['zpub']).publicKey).toEqual(external("m/84'/2'/0'"))
    expect(externalChain(SANDBOX_ACCOUNTS.ETH, ['xpub']).publicKey).toEqual(external("m/44'/60'/0'"))
  })

  test('derives every child key as the BIP-32 library does', () => {
    const chain = externalChain(SANDBOX_ACCOUNTS.BTC, ['zpub'])
    const oracle = root.derive("m/84'/0'/0'/0")
    fc.assert(
      fc.property(fc.integer({ min: 0, max: HARDENED_OFFSET - 1 }), (index) => {
        expect(childPublicKey(chain, index, true)).toEqual(oracle.deriveChild(index).publicKey)
      }),
    )
  })

  test.each(['BTC', 'LTC', 'ETH'] as const)(
    'derives for %s the address of a number above 2^31 from a separate chain of the account, and the signer has its key',
    async (network) => {
      const purpose = { BTC: "m/84'/0'/0'", LTC: "m/84'/2'/0'", ETH: "m/44'/60'/0'" }[network]
      const keys = openSeedKeys(TEST_MNEMONIC, network)
      for (const [number, path] of [
        [2 ** 31 - 1, `0/${2 ** 31 - 1}`],
        [2 ** 31, '2/0'],
        [2 ** 31 + 7, '2/7'],
        [THIRD + 1, '3/1'],
        [Number.MAX_SAFE_INTEGER, `${2 ** 22}/${2 ** 31 - 1}`],
      ] as const) {
        const { publicKey } = root.derive(`${purpose}/${path}`)
        expect(await keys.publicKey({ chain: 'receiving', index: number })).toEqual(publicKey)
        const named = createDestinations({ ...SANDBOX_ACCOUNTS, [network]: keys.account })
        expect(named.derive(network, number)).toEqual(destinations.derive(network, number))
      }
      const [last, first] = [destinations.derive(network, 2 ** 31 - 1), destinations.derive(network, 2 ** 31)]
      expect(first).not.toEqual(last)
    },
  )

  test('derives the BTC address of a number above 2^31 from the key on its chain', () => {
    const { publicKey } = root.derive("m/84'/0'/0'/3/5")
    expect(publicKey && p2wpkh(publicKey, NETWORK).address).toBe(
      destinations.derive('BTC', THIRD + 5).address,
    )
  })

  test('continues with the first tag of the next XRP account after the last tag of an account', () => {
    const next = 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf'
    const two = createDestinations({ ...SANDBOX_ACCOUNTS, XRP: `${SANDBOX_ACCOUNTS.XRP}, ${next}` })
    const shown = (number: number) => decodeXAddress(two.derive('XRP', number).address)
    expect(shown(2 ** 32 - 1)).toEqual({ classicAddress: SANDBOX_ACCOUNTS.XRP, tag: 2 ** 32 - 1 })
    expect(shown(2 ** 32 + 5)).toEqual({ classicAddress: next, tag: 5 })
    expect(() => two.derive('XRP', 2 * 2 ** 32)).toThrow('XRP_ACCOUNT names no account')
  })

  test('gives every address a valid checksum of its network', () => {
    fc.assert(
      fc.property(anIndex, (index) => {
        expect(Address(NETWORK).decode(destinations.derive('BTC', index).address).type).toBe('wpkh')
        expect(Address(LITECOIN).decode(destinations.derive('LTC', index).address).type).toBe('wpkh')
        const ethereum = destinations.derive('ETH', index).address
        expect(isAddress(ethereum, { strict: true })).toBe(true)
        expect(getAddress(ethereum.toLowerCase())).toBe(ethereum)
        expect(decodeXAddress(destinations.derive('XRP', index).address)).toEqual({
          classicAddress: SANDBOX_ACCOUNTS.XRP,
          tag: index,
        })
        expect(base58.decode(destinations.derive('SOL', index).watchAddress)).toHaveLength(32)
      }),
    )
  })

  test.each(['BTC', 'LTC', 'ETH', 'SOL', 'XRP'] as const)(
    'watches no two orders on %s at the same place, and the same places after a restart',
    (network) => {
      const watchedBy = ({ derive }: Destinations) =>
        Array.from({ length: 200 }, (_, i) => derive(network, i + 1).watchAddress)
      expect(new Set(watchedBy(destinations)).size).toBe(200)
      expect(watchedBy(createDestinations(SANDBOX_ACCOUNTS))).toEqual(watchedBy(destinations))
    },
  )

  test("derives the treasury's address from the second key for change, where a network has an address for each order", () => {
    const key = (purpose: string) => root.derive(`${purpose}/1/1`).publicKey ?? new Uint8Array()
    expect(destinations.treasuryOf('BTC')).toBe(p2wpkh(key("m/84'/0'/0'"), NETWORK).address)
    expect(destinations.treasuryOf('LTC')).toBe(p2wpkh(key("m/84'/2'/0'"), LITECOIN).address)
    const ethereum = mnemonicToAccount(TEST_MNEMONIC, { path: "m/44'/60'/0'/1/1" })
    expect(destinations.treasuryOf('ETH')).toBe(ethereum.address)
    expect([destinations.treasuryOf('SOL'), destinations.treasuryOf('XRP')]).toEqual([null, null])
    expect(createDestinations({}).treasuryOf('BTC')).toBeNull()
  })

  test('gives all orders on SOL one receiving address', () => {
    expect(destinations.derive('SOL', 1).address).toBe(SANDBOX_ACCOUNTS.SOL)
    expect(destinations.derive('SOL', 2).address).toBe(SANDBOX_ACCOUNTS.SOL)
  })

  test('derives nothing for a network without a receiving account', () => {
    const { BTC: _, ...others } = SANDBOX_ACCOUNTS
    expect(() => createDestinations(others).derive('BTC', 1)).toThrow(
      new RangeError('BTC has no receiving account'),
    )
    expect(createDestinations(others).derive('LTC', 1)).toEqual(destinations.derive('LTC', 1))
  })

  test.each([0, -1, 1.5, 2 ** 53, Number.NaN])('refuses the index %s', (index) => {
    expect(() => destinations.derive('XRP', index)).toThrow(RangeError)
  })
})

describe('receiving accounts', () => {
  const withAccount = (account: Partial<typeof SANDBOX_ACCOUNTS>) => () =>
    createDestinations({ ...SANDBOX_ACCOUNTS, ...account })
  const account = root.derive("m/84'/0'/0'")

  test('give the same addresses as an xpub and as a zpub', () => {
    const asXpub = withAccount({ BTC: account.publicExtendedKey })()
    expect(asXpub.derive('BTC', 7)).toEqual(destinations.derive('BTC', 7))
  })

  test('are accepted on LTC in its own spelling Ltub', () => {
    const asLtub = withAccount({
      LTC: 'Ltub2ZANw57Fi4JfMGenngwfZMqDrsccTf2m3qEjvLuk8faGXB973sSqGttAdKBvGSCLG9DXh2yxaUB9qpwQUe2zCCtrZPhjxGuMAWqL6F7Xrpd',
    })()
    expect(asLtub.derive('LTC', 7)).toEqual(destinations.derive('LTC', 7))
  })

  test('are refused as private keys by the name of the network, without a part of the key', () => {
    expect(withAccount({ BTC: account.privateExtendedKey })).toThrow(
      new ExtendedKeyError('The receiving account of BTC is a private key; use an extended public key'),
    )
  })

  test.each([
    [
      'a broken checksum',
      { BTC: `${SANDBOX_ACCOUNTS.BTC.slice(0, -1)}t` },
      'of BTC is not an extended key: its checksum',
    ],
    [
      'a key that is no account',
      { BTC: account.deriveChild(0).publicExtendedKey },
      'of BTC is not an account key',
    ],
    ['a kind of key for other addresses', { ETH: SANDBOX_ACCOUNTS.BTC }, 'of ETH must be one of xpub'],
    ['text', { LTC: 'nothing' }, 'of LTC is not an extended key'],
    [
      'a Solana address that is too short',
      { SOL: '11111111111111111111111111111111111' },
      'of SOL is not a Solana address',
    ],
    [
      'an XRP address with a typing error',
      { XRP: 'rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v4' },
      'of XRP is not a classic',
    ],
  ])('are refused with %s', (_, accounts, message) => {
    expect(withAccount(accounts)).toThrow(message)
  })
})
