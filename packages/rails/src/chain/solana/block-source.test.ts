import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type JsonRpcServer, startJsonRpcServer, type Tamper } from '../../../tests/json-rpc-server.ts'
import {
  createSolanaSlots,
  keyOf,
  type SolanaSlots,
  type SolanaTransaction,
  SYSTEM_PROGRAM,
  transactionOf,
  transfer,
} from '../../../tests/solana/slots.ts'
import { findPayment, type BlockSource } from '../../chains.ts'
import { createDestinations } from '../destinations.ts'
import { SANDBOX_ACCOUNTS } from '../networks.ts'
import { createSolanaBlockSource } from './block-source.ts'

const ACCOUNT = SANDBOX_ACCOUNTS.SOL
const { derive } = createDestinations(SANDBOX_ACCOUNTS)
const reference = (order: number) => derive('SOL', order).watchAddress

let slots: SolanaSlots
let honest: JsonRpcServer
let liar: JsonRpcServer
const opened: BlockSource[] = []
const sourceAt = (...rpcUrls: readonly string[]) => {
  const source = createSolanaBlockSource({ rpcUrls, account: ACCOUNT, timeoutMs: TEST_DEADLINE_MS })
  opened.push(source)
  return source
}

beforeEach(async () => {
  slots = createSolanaSlots()
  ;[honest, liar] = await Promise.all([startJsonRpcServer(slots), startJsonRpcServer(slots)])
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((source) => source.close()))
  await Promise.all([honest.stop(), liar.stop()])
})

const transfersIn = async (...transactions: readonly SolanaTransaction[]) => {
  slots.finalize(transactions)
  const source = sourceAt(honest.url)
  return source.transfers(await source.head())
}

describe('finalized blocks', () => {
  test('follow each other over slots without a block', async () => {
    const first = slots.finalize([])
    const second = slots.finalize([], 4)
    const source = sourceAt(honest.url)
    await source.verify()
    const head = await source.head()
    expect(head).toMatchObject({
      number: second,
      hash: keyOf(`block ${second}`),
      parentHash: keyOf(`block ${first}`),
    })
    expect(head.minedAt).toEqual(new Date((1_790_000_000 + second - 300_000_000) * 1_000))
    expect(await source.next(first)).toEqual(head)
    expect(await source.next(first + 2)).toEqual(head)
    expect(await source.next(second)).toBeNull()
    expect(await source.pending()).toEqual([])
  })

  test('credit each order with the transfers that have its reference', async () => {
    const transactions = [
      transactionOf([transfer(ACCOUNT, 1_000_000_001n, reference(1))]),
      transactionOf([transfer(ACCOUNT, 5n, reference(2)), transfer(ACCOUNT, 7n, reference(1))]),
    ]
    expect(await transfersIn(...transactions)).toEqual([
      {
        asset: 'SOL',
        address: reference(1),
        txId: transactions[0]?.signature,
        outputIndex: 0,
        amount: '1.000000001',
        shared: { address: ACCOUNT, sender: keyOf('payer') },
      },
      {
        asset: 'SOL',
        address: reference(2),
        txId: transactions[1]?.signature,
        outputIndex: 0,
        amount: '0.000000005',
        shared: { address: ACCOUNT, sender: keyOf('payer') },
      },
      {
        asset: 'SOL',
        address: reference(1),
        txId: transactions[1]?.signature,
        outputIndex: 1,
        amount: '0.000000007',
        shared: { address: ACCOUNT, sender: keyOf('payer') },
      },
    ])
  })

  test('prove what a transaction pays to any wallet, and no payment by one that failed', async () => {
    const wallet = keyOf('wallet of a payer')
    const good = transactionOf([
      transfer(wallet, 5n),
      transfer(wallet, 7n, keyOf('memo')),
      transfer(ACCOUNT, 9n),
    ])
    const failed = transactionOf([transfer(wallet, 5n)], { err: { InstructionError: [0, 'Custom'] } })
    const slot = slots.finalize([good, failed], 3)
    slots.finalize([])
    const source = sourceAt(honest.url)
    const query = { txId: good.signature, asset: 'SOL', address: wallet } as const
    const proof = { blockNumber: slot, confirmations: 2, units: 12n }
    expect(await findPayment(source, query)).toEqual(proof)
    expect(await findPayment(source, { ...query, txId: failed.signature })).toEqual({ ...proof, units: 0n })
    const unknown = transactionOf([]).signature
    expect(await findPayment(source, { ...query, txId: unknown })).toBeNull()
  })

  test('include transfers by a program, and transfers with accounts of lookup tables', async () => {
    const program = { program: keyOf('wallet'), accounts: [keyOf('payer')], data: '3' }
    const called = transactionOf([{ ...program, inner: [transfer(ACCOUNT, 9n, reference(3))] }])
    const lookedUp = transactionOf([transfer(ACCOUNT, 8n, reference(4))], {
      lookedUp: [ACCOUNT, reference(4)],
    })
    expect(await transfersIn(called, lookedUp)).toMatchObject([
      { address: reference(3), amount: '0.000000009' },
      { address: reference(4), amount: '0.000000008' },
    ])
  })

  test('credit only the first order when a transfer names two', async () => {
    expect(
      await transfersIn(transactionOf([transfer(ACCOUNT, 6n, reference(5), reference(6))])),
    ).toMatchObject([{ address: reference(5), amount: '0.000000006' }])
  })

  test.each([
    [
      'a transaction that failed',
      transactionOf([transfer(ACCOUNT, 6n, reference(1))], { err: { InstructionError: [0, 'Custom'] } }),
    ],
    ['a transfer to somebody else', transactionOf([transfer(keyOf('other'), 6n, reference(1))])],
    ['a transfer of nothing', transactionOf([transfer(ACCOUNT, 0n, reference(1))])],
    [
      'another program with the same data',
      transactionOf([{ ...transfer(ACCOUNT, 6n, reference(1)), program: keyOf('program') }]),
    ],
    [
      'another instruction of the system program',
      transactionOf([
        {
          program: SYSTEM_PROGRAM,
          accounts: [keyOf('payer'), ACCOUNT, reference(1)],
          data: '3Bxs4Bc3VYuGVB19' + '1'.repeat(40),
        },
      ]),
    ],
  ])('contain no transfer for %s', async (_, transaction) => {
    expect(await transfersIn(transaction)).toEqual([])
  })
})

type Block = { blockhash: string; transactions?: { meta: Record<string, unknown> | null }[] }
const changed =
  (change: (block: Block) => unknown): Tamper =>
  (method, result, [, options]) =>
    method === 'getBlock' && (options as { transactionDetails: string }).transactionDetails === 'full'
      ? change(result as Block)
      : result

describe('an endpoint that falsifies its responses', () => {
  beforeEach(() => void slots.finalize([transactionOf([transfer(ACCOUNT, 6n, reference(1))])]))

  test.each([
    ['no transactions', changed((block) => ({ ...block, transactions: [] }))],
    [
      'a failure in place of a success',
      changed((block) => ({
        ...block,
        transactions: block.transactions?.map((each) => ({ ...each, meta: { ...each.meta, err: 'failed' } })),
      })),
    ],
  ] as const)(
    'fails with a retryable error, and returns no empty list, for %s when another endpoint is honest',
    async (_, tamper) => {
      liar.tamper(tamper)
      const head = await sourceAt(honest.url).head()
      const asked = sourceAt(honest.url, liar.url).transfers(head)
      await expect(asked).rejects.toThrow(`endpoints disagree on the transfers of the slot ${head.number}`)
      await expect(asked).rejects.toMatchObject({ name: 'RailError', retryable: true })
    },
  )

  test.each([
    ['of another hash', changed((block) => ({ ...block, blockhash: keyOf('forged') }))],
    [
      'without results',
      changed((block) => ({
        ...block,
        transactions: block.transactions?.map((each) => ({ ...each, meta: null })),
      })),
    ],
    [
      'without the errors of transactions',
      changed((block) => ({
        ...block,
        transactions: block.transactions?.map(({ meta, ...each }) => ({
          ...each,
          meta: { ...meta, err: undefined },
        })),
      })),
    ],
    [
      'with positions of accounts that are none',
      changed((block) => ({
        ...block,
        transactions: block.transactions?.map((each) => ({
          ...each,
          transaction: {
            signatures: ['1'],
            message: {
              accountKeys: [],
              instructions: [{ programIdIndex: 0, accounts: [0, 1, 2], data: '3' }],
            },
          },
        })),
      })),
    ],
  ] as const)('fails with a RailError for a block %s', async (_, tamper) => {
    liar.tamper(tamper)
    const head = await sourceAt(honest.url).head()
    await expect(sourceAt(liar.url).transfers(head)).rejects.toMatchObject({ name: 'RailError' })
    expect(await sourceAt(liar.url, honest.url).transfers(head)).toHaveLength(1)
  })

  test('fails with a retryable error for a block that it does not have, and returns no empty list', async () => {
    const head = await sourceAt(honest.url).head()
    await expect(sourceAt(honest.url).transfers({ ...head, number: head.number + 1 })).rejects.toMatchObject({
      retryable: true,
    })
  })

  test('is named with its setting on another network, or without an address', async () => {
    liar.tamper((method, result) => (method === 'getGenesisHash' ? keyOf('devnet') : result))
    await expect(sourceAt(honest.url, liar.url).verify()).rejects.toThrow(
      `SOL_RPC_URLS: ${new URL(liar.url).host} is not on Solana's main network`,
    )
    expect(() => sourceAt()).toThrow('SOL_RPC_URLS: no address')
  })
})
