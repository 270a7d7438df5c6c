import { base58 } from '@scure/base'
import { expect, test } from '@jest/globals'
import { canonicalTransactionId } from './transaction-id.ts'

const SIGNATURE = base58.encode(new Uint8Array(64).fill(7))

test.each([
  ['BTC', 'AB'.repeat(32), 'ab'.repeat(32)],
  ['LTC', 'ab'.repeat(32), 'ab'.repeat(32)],
  ['XRP', 'ab'.repeat(32), 'AB'.repeat(32)],
  ['ETH', `0x${'AB'.repeat(32)}`, `0x${'ab'.repeat(32)}`],
  ['SOL', SIGNATURE, SIGNATURE],
] as const)('writes a transaction id of %s as the network does', (network, given, expected) => {
  expect(canonicalTransactionId(network, given)).toBe(expected)
})

test.each([
  ['BTC', `0x${'ab'.repeat(32)}`],
  ['BTC', 'ab'.repeat(31)],
  ['ETH', 'ab'.repeat(32)],
  ['ETH', `0x${'ab'.repeat(33)}`],
  ['XRP', `${'ab'.repeat(31)}zz`],
  ['SOL', base58.encode(new Uint8Array(63).fill(255))],
  ['SOL', `${SIGNATURE}0`],
  ['SOL', ''],
] as const)('reads no transaction id of %s in %s', (network, given) => {
  expect(canonicalTransactionId(network, given)).toBeNull()
})
