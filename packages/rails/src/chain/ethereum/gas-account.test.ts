import { expect, test } from '@jest/globals'
import { numberToHex, parseTransaction } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { SANDBOX_ACCOUNTS } from '../networks.ts'
import type { TransactionAnswer } from './answers.ts'
import { gasAccountOf, isSignedBy } from './gas-account.ts'

/** The words of the sandbox's accounts. */
const WORDS = `${'abandon '.repeat(11)}about`
const GAS = mnemonicToAccount(WORDS, { changeIndex: 1, addressIndex: 0 })
const PAYER = mnemonicToAccount(WORDS, { addressIndex: 7 })
const TO = `0x${'12'.repeat(20)}` as const

/** A transaction as a node answers it, that this account has signed and the node says is another's. */
const answeredBy = async (signer: typeof GAS, claimed: string): Promise<TransactionAnswer> => {
  const signed = await signer.signTransaction({
    ...{ type: 'eip1559', chainId: 1, nonce: 3, to: TO, value: 5n, gas: 21_000n },
    ...{ maxFeePerGas: 9n, maxPriorityFeePerGas: 2n },
  })
  const { r = '0x0', s = '0x0', yParity = 0 } = parseTransaction(signed)
  return {
    ...{ type: '0x2', from: claimed, chainId: '0x1', nonce: '0x3', gas: '0x5208', to: TO, value: '0x5' },
    ...{ maxFeePerGas: '0x9', maxPriorityFeePerGas: '0x2', input: '0x', accessList: [], r, s },
    yParity: numberToHex(yParity),
  }
}

test('uses the first key of the account’s change chain as the gas account', () => {
  expect(gasAccountOf(SANDBOX_ACCOUNTS.ETH)).toBe(GAS.address)
})

test('recognises a transaction of the gas account by its signature', async () => {
  expect(isSignedBy(GAS.address, await answeredBy(GAS, GAS.address.toLowerCase()))).toBe(true)
  expect(isSignedBy(GAS.address, await answeredBy(PAYER, PAYER.address))).toBe(false)
})

test('attributes a payer’s transaction to the payer even if an endpoint names the gas account as its sender', async () => {
  expect(isSignedBy(GAS.address, await answeredBy(PAYER, GAS.address))).toBe(false)
})
