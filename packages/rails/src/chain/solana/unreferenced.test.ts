import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type JsonRpcServer, startJsonRpcServer } from '../../../tests/json-rpc-server.ts'
import {
  createSolanaSlots,
  keyOf,
  type SolanaSlots,
  type SolanaTransaction,
  transactionOf,
  transfer,
} from '../../../tests/solana/slots.ts'
import type { BlockSource } from '../../chains.ts'
import { createDestinations } from '../destinations.ts'
import { SANDBOX_ACCOUNTS } from '../networks.ts'
import { createSolanaBlockSource } from './block-source.ts'

const ACCOUNT = SANDBOX_ACCOUNTS.SOL
const REFERENCE = createDestinations(SANDBOX_ACCOUNTS).derive('SOL', 1).watchAddress
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const PROGRAM = { program: keyOf('program'), accounts: [keyOf('payer'), ACCOUNT], data: '3' }

let slots: SolanaSlots
let node: JsonRpcServer
let source: BlockSource
beforeEach(async () => {
  slots = createSolanaSlots()
  node = await startJsonRpcServer(slots)
  source = createSolanaBlockSource({ rpcUrls: [node.url], account: ACCOUNT, timeoutMs: TEST_DEADLINE_MS })
})
afterEach(async () => {
  await source.close()
  await node.stop()
})

/** Returns the transfers, each as asset, amount, number, address and sender. */
const arrivedIn = async (transaction: SolanaTransaction) => {
  slots.finalize([transaction])
  const found = await source.transfers(await source.head())
  return found.map(({ asset, amount, outputIndex, address, shared }) => [
    `${amount} ${asset}`,
    outputIndex,
    address,
    shared?.sender,
  ])
}

test('lists a transfer without a reference, and numbers those with one as if it was not there', async () => {
  const transaction = transactionOf([
    transfer(ACCOUNT, 3_000_000_000n),
    transfer(ACCOUNT, 5_000_000_000n, REFERENCE),
    transfer(ACCOUNT, 4_000_000_000n),
    transfer(ACCOUNT, 6_000_000_000n, keyOf('a reference of nobody')),
  ])
  expect(await arrivedIn(transaction)).toEqual([
    ['5 SOL', 0, REFERENCE, keyOf('payer')],
    ['6 SOL', 1, keyOf('a reference of nobody'), keyOf('payer')],
    ['3 SOL', 1_000_000, ACCOUNT, keyOf('payer')],
    ['4 SOL', 1_000_001, ACCOUNT, keyOf('payer')],
  ])
})

test('lists what a program sends without a system transfer, beyond the transfers of the same transaction', async () => {
  const transaction = transactionOf([PROGRAM, transfer(ACCOUNT, 200_000_000n)], {
    gains: { [ACCOUNT]: 500_000_000 },
  })
  expect(await arrivedIn(transaction)).toEqual([
    ['0.2 SOL', 1_000_000, ACCOUNT, keyOf('payer')],
    ['0.3 SOL', 2_000_000, ACCOUNT, null],
  ])
})

test('lists tokens that arrive at a token account of our account', async () => {
  const other = { mint: USDC, owner: keyOf('other'), before: '0', after: '9000000' }
  const unknown = { mint: keyOf('a worthless token'), owner: ACCOUNT, before: '0', after: '9000000' }
  const ours = { mint: USDC, owner: ACCOUNT, before: '1000000', after: '13500000' }
  const transaction = transactionOf([PROGRAM], { tokens: [other, unknown, ours] })
  expect(await arrivedIn(transaction)).toEqual([['12.5 USDC', 3_000_000, ACCOUNT, null]])
})

test('lists nothing that our account sends: to itself, between its token accounts, or elsewhere', async () => {
  const own = { ...transfer(ACCOUNT, 7n), accounts: [ACCOUNT, ACCOUNT] }
  const away = { ...transfer(keyOf('treasury'), 7n), accounts: [ACCOUNT, keyOf('treasury')] }
  expect(await arrivedIn(transactionOf([own], { gains: { [ACCOUNT]: -5_000 } }))).toEqual([])
  expect(await arrivedIn(transactionOf([away], { gains: { [ACCOUNT]: -5_007 } }))).toEqual([])
  const tokens = [
    { mint: USDC, owner: ACCOUNT, before: '9000000', after: '0' },
    { mint: USDC, owner: ACCOUNT, before: '0', after: '9000000' },
  ]
  expect(await arrivedIn(transactionOf([PROGRAM], { tokens }))).toEqual([])
})
