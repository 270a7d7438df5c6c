import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type JsonRpcServer, startJsonRpcServer, type Tamper } from '../../../tests/json-rpc-server.ts'
import {
  closeLedger,
  createRippleLedgers,
  idOf,
  type LedgerTransaction,
  payment,
  type RippleLedgers,
  SENDER,
} from '../../../tests/ripple/ledgers.ts'
import { findPayment, type BlockHeader, type BlockSource } from '../../chains.ts'
import { createDestinations } from '../destinations.ts'
import { SANDBOX_ACCOUNTS } from '../networks.ts'
import { createRippleBlockSource } from './block-source.ts'
import { parseLedger } from './ledger.ts'

const ACCOUNT = SANDBOX_ACCOUNTS.XRP
const { derive } = createDestinations(SANDBOX_ACCOUNTS)
const watched = (order: number) => derive('XRP', order).watchAddress
const PARTIAL = 0x00020000
const USD = { currency: 'USD', issuer: 'rMYBVwiY95QyUnCeuBQA1D47kXA9zuoBui', value: '5' }

let ledgers: RippleLedgers
let honest: JsonRpcServer
let liar: JsonRpcServer
const opened: BlockSource[] = []
const sourceAt = (...rpcUrls: readonly string[]) => {
  const source = createRippleBlockSource({ rpcUrls, account: ACCOUNT, timeoutMs: TEST_DEADLINE_MS })
  opened.push(source)
  return source
}

beforeEach(async () => {
  ledgers = createRippleLedgers()
  ;[honest, liar] = await Promise.all([startJsonRpcServer(ledgers), startJsonRpcServer(ledgers)])
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((source) => source.close()))
  await Promise.all([honest.stop(), liar.stop()])
})

const paid = (tag: number, amount: unknown, more: object = {}, metadata: object = {}) =>
  payment({ Destination: ACCOUNT, DestinationTag: tag, Amount: amount, ...more } as never, metadata as never)
const transfersIn = async (...transactions: readonly LedgerTransaction[]) => {
  ledgers.close(...transactions)
  const source = sourceAt(honest.url)
  return source.transfers(await source.head())
}

describe('a validated ledger', () => {
  test('links to the one before it, and has its own close time', async () => {
    const [first, second] = [ledgers.close(), ledgers.close()]
    const source = sourceAt(honest.url)
    await source.verify()
    expect(await source.head()).toEqual({
      number: second.index,
      hash: second.hash,
      parentHash: first.hash,
      minedAt: new Date('2023-09-20T23:59:31Z'),
    })
    expect(await source.next(first.index)).toEqual(await source.head())
    expect(await source.next(second.index)).toBeNull()
    expect(await source.pending()).toEqual([])
  })

  test('assigns payments to orders by their destination tags', async () => {
    const transactions = [paid(1, '1000000'), paid(2, '1'), paid(1, '25000001'), paid(4_294_967_295, '7')]
    const found = await transfersIn(...transactions)
    const transfer = (at: number, address: string, amount: string) => ({
      asset: 'XRP',
      address,
      txId: idOf((transactions[at] as LedgerTransaction).transaction),
      outputIndex: 0,
      amount,
      shared: { address, sender: SENDER },
    })
    expect(found.slice(0, 3)).toEqual([
      transfer(0, watched(1), '1'),
      transfer(1, watched(2), '0.000001'),
      transfer(2, watched(1), '25.000001'),
    ])
    expect(found).toHaveLength(4)
  })

  test('assigns a payment without a tag to the account itself', async () => {
    const untagged = payment({ Destination: ACCOUNT, Amount: '5000000' })
    expect(await transfersIn(untagged)).toMatchObject([
      { address: ACCOUNT, amount: '5', shared: { address: ACCOUNT, sender: SENDER } },
    ])
  })

  test('proves a payment to an account, and to a tag only if the payment has it', async () => {
    const { address: tagged } = derive('XRP', 7)
    const [withTag, without] = [paid(7, '2000000'), payment({ Destination: ACCOUNT, Amount: '5000000' })]
    ledgers.close(withTag, without)
    const source = sourceAt(honest.url)
    const unitsOf = async ({ transaction }: LedgerTransaction, address: string) => {
      const query = { txId: idOf(transaction), asset: 'XRP', address } as const
      return (await findPayment(source, query))?.units
    }
    expect(await unitsOf(withTag, tagged)).toBe(2_000_000n)
    expect(await unitsOf(withTag, ACCOUNT)).toBe(2_000_000n)
    expect(await unitsOf(without, ACCOUNT)).toBe(5_000_000n)
    expect(await unitsOf(without, tagged)).toBe(0n)
    expect(await unitsOf(withTag, SENDER)).toBe(0n)
  })

  test('counts a partial payment by what it delivered, not by its amount', async () => {
    const partial = paid(1, '99000000', { Flags: PARTIAL, SendMax: USD }, { DeliveredAmount: '1' })
    expect(await transfersIn(partial)).toMatchObject([{ address: watched(1), amount: '0.000001' }])
  })

  test.each([
    ['a payment that failed', paid(1, '9', {}, { TransactionResult: 'tecUNFUNDED_PAYMENT' })],
    ['an issued currency', paid(1, USD)],
    [
      'a partial payment that delivered an issued currency',
      paid(1, USD, { Flags: PARTIAL }, { DeliveredAmount: USD }),
    ],
    ['an offer', payment({ TransactionType: 'OfferCreate', TakerGets: '9', TakerPays: USD })],
    [
      'a check that is written',
      payment({ TransactionType: 'CheckCreate', Destination: ACCOUNT, DestinationTag: 1, SendMax: '9' }),
    ],
  ])('contains no transfer for %s', async (_, transaction) => {
    expect(await transfersIn(transaction)).toEqual([])
  })

  test('is read completely with 300 transactions', async () => {
    const many = Array.from({ length: 300 }, (_, at) => paid(at + 1, String(at + 1)))
    const found = await transfersIn(...many)
    expect(found.map(({ address }) => address)).toEqual(many.map((_, at) => watched(at + 1)))
  })
})

type Result = {
  ledger: { ledger_data: string; transactions?: { tx_blob: string; meta: string }[] }
  validated: boolean
}
const FALSIFICATIONS: readonly (readonly [string, (result: Result) => unknown])[] = [
  [
    'a payment left out',
    ({ ledger, ...rest }) => ({
      ...rest,
      ledger: { ...ledger, transactions: ledger.transactions?.slice(1) },
    }),
  ],
  [
    'a payment that comes twice',
    ({ ledger, ...rest }) => ({
      ...rest,
      ledger: { ...ledger, transactions: ledger.transactions?.flatMap((each) => [each, each]) },
    }),
  ],
  [
    'other metadata',
    ({ ledger, ...rest }) => ({
      ...rest,
      ledger: {
        ...ledger,
        transactions: ledger.transactions?.map((each) => ({ ...each, meta: each.meta.replace(/00$/, '01') })),
      },
    }),
  ],
  ['no transactions', ({ ledger, ...rest }) => ({ ...rest, ledger: { ...ledger, transactions: [] } })],
  [
    'another header',
    ({ ledger, ...rest }) => ({
      ...rest,
      ledger: { ...ledger, ledger_data: closeLedger([], { index: 1, parent: 'EF'.repeat(32) }).data },
    }),
  ],
  ['a ledger that is not validated', (result) => ({ ...result, validated: false })],
  ['an error', () => ({ error: 'noNetwork', error_message: 'Not synced to the network.', status: 'error' })],
]

describe('an endpoint that falsifies its responses', () => {
  let head: BlockHeader
  beforeEach(async () => {
    ledgers.close(paid(1, '1000000'), paid(2, '2000000'))
    head = await sourceAt(honest.url).head()
  })

  test.each(FALSIFICATIONS)(
    'fails with a RailError for %s, and changes nothing when another endpoint is honest',
    async (_, falsify) => {
      const tamper: Tamper = (__, result, [asked]) =>
        (asked as { transactions: boolean }).transactions ? falsify(result as Result) : result
      liar.tamper(tamper)
      await expect(sourceAt(liar.url).transfers(head)).rejects.toMatchObject({
        name: 'RailError',
        retryable: true,
      })
      expect(await sourceAt(liar.url, honest.url).transfers(head)).toHaveLength(2)
    },
  )

  test('fails with a retryable error, and returns no block, for a different ledger', async () => {
    const forged = closeLedger([paid(1, '999')], { index: head.number, parent: head.parentHash })
    liar.tamper((_, result) => ({
      ...(result as Result),
      ledger: { ledger_data: forged.data, transactions: forged.transactions },
    }))
    const source = sourceAt(honest.url, liar.url)
    await expect(source.head()).rejects.toThrow(`endpoints disagree on the ledger ${head.number}`)
    await expect(source.next(head.number - 1)).rejects.toMatchObject({ retryable: true })
  })

  test('is named with its setting on another network, or without an address', async () => {
    ledgers.networkId = 1
    await expect(sourceAt(honest.url).verify()).rejects.toThrow('XRP_RPC_URLS')
    expect(() => sourceAt()).toThrow('XRP_RPC_URLS: no address')
  })
})

test('verifies ledger 38129 of the main network, and reads its payment', () => {
  const known = payment(
    {
      Amount: '10000000000',
      Destination: 'rLQBHVhFnaC5gLEkgr6HgBJJ3bgeZHg9cj',
      Sequence: 62,
      TxnSignature:
        '3045022022EB32AECEF7C644C891C19F87966DF9C62B1F34BABA6BE774325E4BB8E2DD62022100A51437898C28C2B297112DF8131F2BB39EA5FE613487DDD611525F1796264639',
    },
    {
      TransactionIndex: 0,
      AffectedNodes: [
        {
          CreatedNode: {
            LedgerEntryType: 'AccountRoot',
            LedgerIndex: '4C6ACBD635B0F07101F7FA25871B0925F8836155462152172755845CE691C49E',
            NewFields: { Account: 'rLQBHVhFnaC5gLEkgr6HgBJJ3bgeZHg9cj', Balance: '10000000000', Sequence: 1 },
          },
        },
        {
          ModifiedNode: {
            FinalFields: {
              Account: 'r3kmLJN5D28dHuH8vZNUZpMC43pEHpaocV',
              Balance: '981481999380',
              Flags: 0,
              OwnerCount: 0,
              Sequence: 63,
            },
            LedgerEntryType: 'AccountRoot',
            LedgerIndex: 'B33FDD5CF3445E1A7F2BE9B06336BEBD73A5E3EE885D3EF93F7E3E2992E46F1A',
            PreviousFields: { Balance: '991481999390', Sequence: 62 },
            PreviousTxnID: '2485FDC606352F1B0785DA5DE96FB9DBAF43EB60ECBB01B7F6FA970F512CDA5F',
            PreviousTxnLgrSeq: 31317,
          },
        },
      ],
    },
  )
  const { transactions } = closeLedger([known], { index: 1, parent: 'AB'.repeat(32) })
  const data = Buffer.from(
    '000094F1016345785D89F196' +
      '3401E5B2E5D3A53EB0891088A5F2D9364BBB6CE5B37A337D2C0660DAF9C4175E' +
      'DB83BF807416C5B3499A73130F843CF615AB8E797D79FE7D330ADF1BFA93951A' +
      '2C23D15B6B549123FB351E4B5CDE81C564318EB845449CD43C3EA7953C4DB452' +
      '18769388187693880A00',
    'hex',
  )
  const raw = transactions.map((each) => ({
    transaction: Buffer.from(each.tx_blob, 'hex'),
    metadata: Buffer.from(each.meta, 'hex'),
  }))
  const hash = 'E6DB7365949BF9814D76BCC730B01818EB9136A89DB224F3F9F5AAE4569D758E'
  expect(parseLedger({ data, transactions: raw }, hash, new Set())).toEqual([
    {
      asset: 'XRP',
      address: 'rLQBHVhFnaC5gLEkgr6HgBJJ3bgeZHg9cj',
      txId: '3B1A4E1C9BB6A7208EB146BCDB86ECEA6068ED01466D933528CA2B4C64F753EF',
      outputIndex: 0,
      amount: '10000',
    },
  ])
})
