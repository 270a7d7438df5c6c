import { eventually } from '@causeway/chassis/testing'
import { addressTransfers, type Asset } from '@causeway/contracts'
import type { SignedTransfer } from '@causeway/rails/transfers'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createFakeChain } from './fake-chain.ts'
import { newRefund, startForTests, type RunningSigner } from './running-signer.ts'

const PAYMENTS = { kind: 'service' as const, service: 'payments' }
const MIGRATION = new URL('../migrations/11_transfer-sources.sql', import.meta.url)
const chain = createFakeChain()
let signer: RunningSigner

beforeAll(async () => {
  signer = await startForTests(new Map([['ETH', chain.transfers]]))
})
afterAll(() => signer.stop())

const leftOf = async (keyIndexes: readonly number[], asset: Asset = 'ETH') => {
  const body = { network: 'ETH' as const, asset, key_indexes: [...keyIndexes] }
  const answer = await signer.ask(addressTransfers.list, PAYMENTS, { body })
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.addresses
}

test('lists what a refund takes from an address: moving once it is signed, left once it is confirmed', async () => {
  chain.setProgress({ state: 'waiting' })
  const refund = newRefund({ amount: '0.5' })
  const index = refund.key_index
  chain.setBalance(index, refund.amount)
  expect(await leftOf([index])).toEqual([])
  await signer.request(refund)
  await eventually(() => chain.sent.length > 0)
  expect(await leftOf([index, index + 1])).toEqual([{ key_index: index, left: '0', is_moving: true }])
  chain.setProgress({ state: 'mined', confirmations: 3, networkFee: '0.0007' })
  await signer.becomes(refund, 'confirmed')
  expect(await leftOf([index])).toEqual([{ key_index: index, left: '0.5', is_moving: false }])
  expect(await leftOf([index], 'USDC')).toEqual([{ key_index: index, left: '0', is_moving: false }])
})

test('counts every source of a sweep of any version, and the whole fee where it may come from the address', async () => {
  const store = async (id: string, asset: Asset, status: string, amounts: readonly string[]) => {
    const transfer: SignedTransfer = {
      ...{
        network: 'ETH',
        asset,
        toAddress: 'vault',
        amount: '1',
        networkFee: '0.002',
        feeAsset: 'ETH',
        txId: id,
      },
      sources: amounts.map((amount, at) => ({ index: 8_001 + at, address: `address-${8_001 + at}`, amount })),
      ...{ rawTransactions: [], spends: [], signedAt: 1 },
    }
    const now = signer.clock.now().toISOString()
    await signer.sql(
      `INSERT INTO transfers (id, purpose, network, asset, to_address, status, signed, network_fee, created_at, updated_at)
       VALUES ($1, 'sweep', 'ETH', $2, 'vault', $3, $4, '0.002', $5, $5)`,
      [id, asset, status, JSON.stringify(transfer), now],
    )
  }
  await store('sweep-a', 'USDC', 'confirmed', ['10', '2.5'])
  await store('sweep-b', 'USDC', 'confirmed', ['1'])
  await store('sweep-c', 'ETH', 'failed', ['4'])
  const expected = [
    { key_index: 8_001, left: '11', is_moving: false },
    { key_index: 8_002, left: '2.5', is_moving: false },
  ]
  expect(await leftOf([8_001, 8_002], 'USDC')).toEqual(expected)
  // Two sweeps of a token, and an own transfer that failed: each may have cost the address its fee.
  expect(await leftOf([8_001, 8_002])).toEqual([
    { key_index: 8_001, left: '0.006', is_moving: false },
    { key_index: 8_002, left: '0.002', is_moving: false },
  ])

  // An upgrade finds the same in the transfers that it begins with.
  const [, backfill = ''] = readFileSync(MIGRATION, 'utf8').split(/(?=^INSERT INTO transfer_sources)/m)
  await signer.sql('TRUNCATE transfer_sources')
  expect(await leftOf([8_001], 'USDC')).toEqual([])
  await signer.sql(backfill)
  expect(await leftOf([8_001, 8_002], 'USDC')).toEqual(expected)
})

test('lists the signed transfers from one address with the named deposits that they spend, and no failed ones', async () => {
  const index = 8_101
  const store = async (id: string, status: string, at: string, spends: readonly string[]) => {
    const transfer: SignedTransfer = {
      ...{ network: 'BTC', asset: 'BTC', toAddress: 'vault', amount: '1', networkFee: '0.002' },
      ...{ feeAsset: 'BTC', txId: `${id}-tx`, rawTransactions: [], spends, signedAt: 1 },
      sources: [
        { index, address: 'address', amount: '1' },
        { index: index + 1, address: 'other', amount: '2' },
      ],
    }
    await signer.sql(
      `INSERT INTO transfers (id, purpose, network, asset, to_address, status, signed, network_fee, created_at, updated_at)
       VALUES ($1, 'sweep', 'BTC', 'BTC', 'vault', $2, $3, '0.002', $4, '2026-11-21T00:00:00Z')`,
      [id, status, JSON.stringify(transfer), at],
    )
  }
  await store('sweep-2', 'broadcast', '2026-11-20T02:00:00Z', ['deposit:1', 'unnamed:0'])
  await store('sweep-1', 'confirmed', '2026-11-20T01:00:00Z', ['deposit:0'])
  await store('sweep-3', 'failed', '2026-11-20T03:00:00Z', ['deposit:2'])
  await store('sweep-4', 'signed', '2026-11-20T04:00:00Z', ['address/7'])
  const coin = (output_index: number) => ({ tx_id: 'deposit', output_index })
  const answer = await signer.ask(addressTransfers.listOfAddress, PAYMENTS, {
    body: { network: 'BTC', key_index: index, coins: [coin(0), coin(1), coin(2)] },
  })
  const common = { purpose: 'sweep', asset: 'BTC', unattributed_money_id: null }
  const transfer = (id: string, hour: number, confirmed_at: string | null, coins: object[] | null) => ({
    ...common,
    ...{ tx_id: `${id}-tx`, started_at: `2026-11-20T0${hour}:00:00.000Z`, confirmed_at, coins },
  })
  expect(answer.ok && answer.value.transfers).toEqual([
    transfer('sweep-1', 1, '2026-11-21T00:00:00.000Z', [coin(0)]),
    transfer('sweep-2', 2, null, [coin(1)]),
    transfer('sweep-4', 4, null, null),
  ])
})
