import { describe, expect, test } from '@jest/globals'
import secp256k1 from 'secp256k1'
import { openSeedKeys, TransferError, type Transfers } from '../../transfers.ts'
import { createDestinations } from '../destinations.ts'
import { SANDBOX_ACCOUNTS } from '../networks.ts'
import { createNoTransfers } from './no-transfers.ts'

const WORDS = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

describe('keys of a seed', () => {
  test.each(['BTC', 'LTC', 'ETH'] as const)('give on %s the addresses of the sandbox', (network) => {
    const { account } = openSeedKeys(` ${WORDS.replace(' ', '\n')}\n`, network)
    const [ours, sandbox] = [createDestinations({ [network]: account }), createDestinations(SANDBOX_ACCOUNTS)]
    expect(ours.derive(network, 7)).toEqual(sandbox.derive(network, 7))
  })

  test('include separate keys and addresses for a test chain', () => {
    const { account } = openSeedKeys(WORDS, 'BTC', { BTC: 'test' })
    expect(account).toMatch(/^tpub/)
    const { derive } = createDestinations({ BTC: account }, { BTC: 'test' })
    // BIP-84 of the coin type 1, as Electrum and Sparrow show it.
    expect(derive('BTC', 1).address).toMatch(/^tb1q/)
    expect(derive('BTC', 1).address).not.toBe(
      createDestinations(SANDBOX_ACCOUNTS, { BTC: 'regtest' }).derive('BTC', 1).address,
    )
  })

  test('sign with the key whose public part they return', async () => {
    const keys = openSeedKeys(WORDS, 'ETH')
    const digest = new Uint8Array(32).fill(7)
    for (const chain of ['receiving', 'change'] as const) {
      const { bytes, recovery } = await keys.sign({ chain, index: 3 }, digest)
      const publicKey = await keys.publicKey({ chain, index: 3 })
      expect(secp256k1.ecdsaRecover(bytes, recovery, digest)).toEqual(publicKey)
    }
  })

  test.each([
    ['a wrong checksum', WORDS.replace('about', 'abandon')],
    ['an unknown word', WORDS.replace('about', 'causeway')],
    ['nothing', ''],
  ])('refuse %s without repeating it', (_, words) => {
    const open = () => openSeedKeys(words, 'BTC')
    expect(open).toThrow('not a list of BIP-39 words')
    expect(open).not.toThrow(/abandon|causeway/)
  })
})

test('refuses a transfer on a network without transfers, and says why', async () => {
  const transfers: Transfers = createNoTransfers('SOL', (index) => `address ${index}`, 'is not paid back yet')
  const refused = transfers.sign({ fromIndex: 1, asset: 'SOL', toAddress: 'x', amount: '1' }, [])
  await expect(refused).rejects.toEqual(new TransferError('unsupported', 'SOL: is not paid back yet'))
  await expect(refused).rejects.toMatchObject({ refusal: 'unsupported' })
  expect(transfers.addressOf(2)).toBe('address 2')
})
