import { describe, expect, test } from '@jest/globals'
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { createBase58check } from '@scure/base'
import { NETWORK, p2pkh, p2sh, p2tr, p2wpkh, TEST_NETWORK } from '@scure/btc-signer'
import { sha256 } from '@noble/hashes/sha2.js'
import type { UtxoChain, UtxoNetwork } from './bitcoin/parameters.ts'
import { createDestinations } from './destinations.ts'
import { isRecipient, SANDBOX_ACCOUNTS } from './networks.ts'

const CHAINS: readonly (readonly [UtxoNetwork, UtxoChain, string])[] = [
  ['BTC', 'main', 'bc'],
  ['BTC', 'test', 'tb'],
  ['BTC', 'signet', 'tb'],
  ['BTC', 'regtest', 'bcrt'],
  ['LTC', 'main', 'ltc'],
  ['LTC', 'test', 'tltc'],
  ['LTC', 'regtest', 'rltc'],
]
const VERSIONS = { xpub: 0x0488b21e, zpub: 0x04b24746, tpub: 0x043587cf, vpub: 0x045f1cf6, ttub: 0x0436f6e1 }
const base58check = createBase58check(sha256)

const root = HDKey.fromMasterSeed(
  mnemonicToSeedSync(
    'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
  ),
)
const testAccount = root.derive("m/84'/1'/0'")

/** The same key under other version bytes (SLIP-132). */
const spelled = (key: HDKey, version: keyof typeof VERSIONS): string => {
  const bytes = Buffer.from(base58check.decode(key.publicExtendedKey))
  bytes.writeUInt32BE(VERSIONS[version])
  return base58check.encode(bytes)
}
const first = (network: UtxoNetwork, account: string, chain: UtxoChain) =>
  createDestinations({ [network]: account }, { [network]: chain }).derive(network, 1).address

describe('the chain of a network', () => {
  test.each(CHAINS)(
    'derives on %s %s addresses that begin with %s1 and are valid on no other chain',
    (network, chain, prefix) => {
      const account = chain === 'main' ? SANDBOX_ACCOUNTS[network] : spelled(testAccount, 'vpub')
      const address = first(network, account, chain)
      expect(address.startsWith(`${prefix}1q`)).toBe(true)
      const taken = CHAINS.filter(([of, on]) => isRecipient(of, address, { [of]: on }))
      expect(taken).toEqual(CHAINS.filter(([of, , like]) => of === network && like === prefix))
    },
  )

  test('derives the address that the library makes of the account’s second key', () => {
    const { publicKey } = testAccount.deriveChild(0).deriveChild(1)
    for (const [network, chain, bech32] of CHAINS.filter(([, on]) => on !== 'main'))
      expect(first(network, spelled(testAccount, 'tpub'), chain)).toBe(
        p2wpkh(publicKey as Uint8Array, { ...TEST_NETWORK, bech32 }).address,
      )
  })

  test.each([
    ['BTC', 'main', 'vpub', 'must be one of zpub, xpub'],
    ['BTC', 'test', 'zpub', 'must be one of vpub, tpub'],
    ['LTC', 'test', 'xpub', 'must be one of vpub, tpub, ttub'],
  ] as const)('refuses on %s %s a %s, which belongs to another chain', (network, chain, version, message) => {
    expect(() => first(network, spelled(testAccount, version), chain)).toThrow(
      `The receiving account of ${network} ${message}`,
    )
  })

  test('accepts a ttub on the test chain of LTC, and any account on regtest, including the sandbox’s', () => {
    expect(first('LTC', spelled(testAccount, 'ttub'), 'test')).toMatch(/^tltc1q/)
    expect(first('LTC', SANDBOX_ACCOUNTS.LTC, 'regtest')).toMatch(/^rltc1q/)
  })

  test('accepts legacy and taproot addresses as recipients on their own chain only', () => {
    const key = testAccount.publicKey as Uint8Array
    const forms = (network: typeof NETWORK) => [
      p2pkh(key, network).address,
      p2sh(p2wpkh(key, network), network).address,
      p2tr(key.subarray(1), undefined, network).address,
    ]
    const on = (chain: UtxoChain) => (address: string | undefined) =>
      isRecipient('BTC', String(address), { BTC: chain })
    expect(forms(NETWORK).map(on('main'))).toEqual([true, true, true])
    expect(forms(NETWORK).map(on('test'))).toEqual([false, false, false])
    expect(forms(TEST_NETWORK).map(on('test'))).toEqual([true, true, true])
    expect(forms(TEST_NETWORK).map(on('main'))).toEqual([false, false, false])
  })

  test('names the setting for a chain that the network does not have', () => {
    expect(() => first('LTC', spelled(testAccount, 'vpub'), 'signet')).toThrow(
      'LTC_CHAIN is signet, which does not exist on LTC; choose one of: main, test, regtest',
    )
  })
})
